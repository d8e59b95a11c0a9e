//! The list of tests, and what they share.

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

/// Runs the tests that the command line asks for, as many at once as other tests.
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
        dialogs::a_game_that_is_over_is_no_start,
        dialogs::a_file_may_fall_on_any_dialog,
        dialogs::a_link_that_is_damaged_is_said_to_be,
        ends::moves_that_were_undone_are_no_part_of_a_game_that_is_resigned,
        ends::undo_takes_a_resignation_back_and_no_move,
        ends::moves_that_were_undone_are_no_part_of_a_game_that_is_lost_on_time,
        ends::undo_takes_back_what_a_move_gave_to_the_clock,
        ends::the_engine_plays_with_itself_only_where_it_is_seen,
        ends::keys_lead_on_from_a_button_that_goes,
        ends::what_was_kept_and_is_no_game_leaves_a_board,
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
        moving::a_stack_may_begin_a_game_and_two_capstones_may_be_placed,
        review::a_browser_shows_it_without_errors_and_overflow,
        review::scores_and_results_are_sorted_by_what_they_are_worth,
        slips::another_move_is_undone_with_all_that_it_cut_off,
        slips::a_click_on_the_move_that_is_shown_is_no_fault,
        slips::a_game_that_another_took_the_place_of_comes_back,
        slips::an_annotated_game_has_the_result_of_today,
        slips::the_player_to_move_in_the_game_resigns_and_not_in_the_view,
        slips::a_resigned_game_can_be_analysed_and_gone_on_with,
        slips::after_each_move_flats_are_placed_again,
        slips::looks_at_earlier_moves_do_not_hold_up_the_game,
        slips::the_clock_of_the_player_to_move_runs_whatever_is_looked_at,
        slips::notices_are_read_to_their_end,
        slips::nothing_moves_from_under_a_finger,
        slips::undo_puts_back_what_is_in_hand,
        tabs::tabs_do_not_disturb_each_other,
        tabs::a_game_with_clocks_goes_on_in_one_tab,
        tabs::a_page_too_many_says_so,
        tabs::what_another_server_left_is_gone,
    ]);
    tests.extend(tests![chromium::lacks_chromium().or_else(chromium::lacks_axe_core), games::axe_finds_nothing]);
    tests.extend(tests![None::<&str>, browser::no_browser_outlives_its_tests]);
    libtest_mimic::run(&arguments, tests).exit_code()
}
