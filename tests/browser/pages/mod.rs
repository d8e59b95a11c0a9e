//! The list of tests, and shared helpers.

mod browser;
mod browsing;
mod dialogs;
mod ends;
mod games;
mod hands;
mod layout;
mod moving;
mod review;
mod slips;
mod tabs;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Trial};

use crate::support::{chromium, review_page, serving};

/// A test of each function, ignored if the first argument gives a reason.
macro_rules! tests {
    ($reason:expr, $($module:ident::$name:ident),* $(,)?) => {
        [$(Trial::ignorable_test(concat!(stringify!($module), "::", stringify!($name)), || match $reason {
            Some(reason) => Ok(Completion::ignored_with(reason)),
            None => {
                $module::$name();
                Ok(Completion::Completed)
            }
        })),*]
    };
}

/// Runs the tests selected on the command line, as many at once as other tests.
pub fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    let threads = || std::env::var("RUST_TEST_THREADS").ok()?.parse().ok();
    arguments.test_threads = arguments.test_threads.or_else(threads);
    let mut tests = Vec::from(tests![
        chromium::lacks_chromium(),
        dialogs::a_number_that_is_missing_is_seen,
        dialogs::after_start_keys_go_to_the_board,
        dialogs::links_go_out_without_the_token_and_come_back,
        dialogs::a_text_that_is_too_large_is_not_sent,
        dialogs::the_list_of_keys_opens_wherever_the_focus_is,
        dialogs::a_game_from_here_is_one_of_this_size,
        dialogs::a_lost_connection_changes_no_choice,
        dialogs::finished_game_cannot_be_a_start,
        dialogs::a_file_may_fall_on_any_dialog,
        dialogs::corrupt_link_shows_error,
        ends::resigned_game_excludes_undone_moves,
        ends::undo_takes_a_resignation_back_and_no_move,
        ends::game_lost_on_time_excludes_undone_moves,
        ends::undo_reverts_the_increment,
        ends::hidden_page_pauses_engine_self_play,
        ends::keys_lead_on_from_a_button_that_goes,
        ends::invalid_stored_game_leaves_a_board,
        games::a_server_that_comes_back_finds_the_game,
        games::the_engine_answers_and_thinks_along,
        games::hints_are_given,
        games::level_1_is_beaten,
        games::a_level_answers_at_once,
        games::clocks_run_stand_still_and_run_out,
        games::a_game_is_annotated_and_walked_through,
        games::games_and_positions_come_in_and_go_out,
        layout::the_whole_board_is_seen_in_a_low_window,
        layout::a_high_stack_is_seen_on_a_small_screen,
        layout::a_result_stays_in_one_piece,
        moving::a_whole_game_by_keyboard,
        moving::a_game_with_spreads_by_keyboard,
        moving::the_states_of_the_keyboard,
        moving::a_whole_game_by_mouse_with_undo_and_reload,
        moving::a_whole_game_by_touch,
        moving::double_black_stack_and_two_capstones_are_playable,
        review::a_browser_shows_it_without_errors_and_overflow,
        review::tables_sort_scores_and_results_by_value,
        slips::undo_restores_the_replaced_continuation,
        slips::click_on_the_shown_move_is_accepted,
        slips::replaced_game_can_be_restored,
        slips::an_annotated_game_has_the_result_of_today,
        slips::player_to_move_in_the_game_resigns,
        slips::resigned_game_can_be_analysed_and_continued,
        slips::after_each_move_flats_are_placed_again,
        slips::viewing_earlier_moves_does_not_delay_the_game,
        slips::viewing_earlier_moves_does_not_stop_the_clock,
        slips::notices_are_read_to_their_end,
        slips::nothing_moves_from_under_a_finger,
        slips::undo_returns_pieces_in_hand,
        tabs::tabs_do_not_disturb_each_other,
        tabs::a_game_with_clocks_runs_in_one_tab,
        tabs::page_beyond_the_limit_shows_the_reason,
        tabs::games_of_another_server_are_not_found,
    ]);
    tests.extend(tests![chromium::lacks_chromium().or_else(chromium::lacks_axe_core), games::axe_finds_nothing]);
    tests.extend(tests![None::<&str>, browser::no_browser_outlives_its_tests]);
    libtest_mimic::run(&arguments, tests).exit_code()
}
