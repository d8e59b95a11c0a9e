//! The list of tests, and shared helpers.

mod alone;
mod browser;
mod browsing;
mod dialogs;
mod ends;
mod explore;
mod games;
mod hands;
mod hosting;
mod layout;
mod lines;
mod moving;
mod notes;
mod review;
mod slips;
mod tabs;
mod tasks;
mod waiting;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Trial};

use crate::support::chromium::{lacks_axe_core, lacks_chromium, lacks_static_page, static_page};
use crate::support::{chromium, review_page, serving};

use hosting::Host;
use serving::Serving;

/// Tests with their names.
macro_rules! named {
    ($($module:ident::$name:ident),* $(,)?) => {
        [$((concat!(stringify!($module), "::", stringify!($name)), $module::$name)),*]
    };
}

/// Tests of the page at an address.
type PageTests<'a> = &'a [(&'static str, fn(&str))];

/// Tests that start what they need.
type OtherTests<'a> = &'a [(&'static str, fn())];

/// Tests of every page, with or without a server.
const BOTH: PageTests = &named![
    dialogs::a_number_that_is_missing_is_seen,
    dialogs::after_start_keys_go_to_the_board,
    dialogs::a_game_too_long_for_a_link_is_offered_as_a_file,
    dialogs::a_text_that_is_too_large_is_not_sent,
    dialogs::the_list_of_keys_opens_wherever_the_focus_is,
    dialogs::a_game_from_here_is_one_of_this_size,
    dialogs::finished_game_cannot_be_a_start,
    dialogs::a_file_may_fall_on_any_dialog,
    dialogs::corrupt_link_shows_error,
    dialogs::time_controls_have_a_list,
    ends::resigned_game_excludes_undone_moves,
    ends::undo_takes_a_resignation_back_and_no_move,
    ends::game_lost_on_time_excludes_undone_moves,
    ends::undo_reverts_the_increment,
    ends::hidden_page_pauses_engine_self_play,
    ends::keys_lead_on_from_a_button_that_goes,
    ends::invalid_stored_game_leaves_a_board,
    explore::a_collection_is_explored,
    explore::hostile_collections_are_harmless,
    games::the_engine_answers_and_thinks_along,
    games::hints_are_given,
    games::two_clicks_start_a_game,
    games::the_engine_with_itself_can_be_watched,
    games::level_1_is_beaten,
    games::a_game_is_annotated_and_walked_through,
    games::games_and_positions_come_in_and_go_out,
    games::everything_in_a_file_is_kept,
    layout::the_whole_board_is_seen_in_a_low_window,
    layout::a_high_stack_is_seen_on_a_small_screen,
    layout::a_result_stays_in_one_piece,
    layout::the_board_is_as_large_as_the_window_allows,
    layout::coordinates_are_legible,
    layout::a_theme_is_kept,
    moving::pieces_not_on_the_board_are_shown,
    lines::variations_are_kept_promoted_and_deleted,
    lines::replaced_moves_of_a_game_are_kept,
    lines::steps_have_keys_wheel_and_swipe,
    moving::a_whole_game_by_keyboard,
    moving::a_game_with_spreads_by_keyboard,
    moving::stacks_are_dragged,
    moving::the_states_of_the_keyboard,
    moving::a_whole_game_by_mouse_with_undo_and_reload,
    moving::a_whole_game_by_touch,
    moving::double_black_stack_and_two_capstones_are_playable,
    notes::marks_and_comments_are_edited,
    notes::an_annotated_game_can_be_commented,
    slips::undo_restores_the_replaced_continuation,
    slips::click_on_the_shown_move_is_accepted,
    slips::a_setting_chosen_during_an_action_is_kept,
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
    tabs::a_page_that_may_not_store_is_playable,
    tabs::a_game_with_clocks_runs_in_one_tab,
    tasks::a_puzzle_is_solved_by_playing,
    tasks::every_win_that_is_as_fast_is_accepted,
    tasks::puzzles_are_chosen_and_shown,
    tasks::puzzles_of_a_file_are_opened,
    tasks::a_game_comes_back_after_puzzles,
    tasks::hostile_addresses_and_results_are_harmless,
    tasks::a_lesson_explains_wrong_moves_and_is_kept,
    tasks::all_lessons_can_be_finished,
    tasks::a_mistake_is_tried_again,
    tasks::the_graph_tells_its_values,
];

/// Tests of the server, and of pages in files.
const OTHERS: OtherTests = &named![
    dialogs::links_go_out_without_the_token_and_come_back,
    dialogs::a_lost_connection_changes_no_choice,
    explore::a_lost_connection_loses_no_collection,
    games::a_server_that_comes_back_finds_the_game,
    games::a_level_answers_at_once,
    games::clocks_run_stand_still_and_run_out,
    lines::steps_cost_the_same_in_long_games,
    review::a_browser_shows_it_without_errors_and_overflow,
    review::tables_sort_scores_and_results_by_value,
    tabs::page_beyond_the_limit_shows_the_reason,
    tabs::games_of_another_server_are_not_found,
    waiting::a_puzzle_survives_a_lost_connection,
    waiting::moves_are_drawn_before_the_program_answers,
];

/// Tests of the page without a server.
const ALONE: OtherTests = &named![
    alone::starts_without_a_network,
    alone::an_update_waits_for_its_user_and_reaches_all_tabs,
    alone::without_room_for_its_files_it_is_played_online,
    alone::a_browser_without_webassembly_gets_a_reason,
    alone::a_busy_engine_answers_the_next_question,
    alone::a_worker_that_does_not_start_is_replaced,
    alone::it_can_be_installed,
];

/// A test, ignored for a reason.
fn trial(name: String, reason: Option<&'static str>, test: impl FnOnce() + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || {
        if let Some(reason) = reason {
            return Ok(Completion::ignored_with(reason));
        }
        test();
        Ok(Completion::Completed)
    })
}

/// The test of a page on both ways to it: from a server on a desktop, and without one on a phone. With the environment
/// variable `SCREEN` set to `desktop` or `phone` it is that screen for both.
fn on_both(name: &str, test: fn(&str), reason: Option<&'static str>) -> [Trial; 2] {
    let lacks = reason.or_else(lacks_static_page);
    let choose_screen = |usual: &str| {
        if std::env::var("SCREEN").as_deref().unwrap_or(usual) == "phone" {
            browsing::use_a_phone();
        }
    };
    [
        trial(format!("serve::{name}"), reason, move || {
            choose_screen("desktop");
            test(&Serving::start(&[]).url);
        }),
        trial(format!("static::{name}"), lacks, move || {
            choose_screen("phone");
            test(&Host::start(&static_page()).url);
        }),
    ]
}

/// Runs the tests selected on the command line, as many at once as other tests.
pub fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    let threads = || std::env::var("RUST_TEST_THREADS").ok()?.parse().ok();
    arguments.test_threads = arguments.test_threads.or_else(threads);
    let mut tests: Vec<Trial> = BOTH.iter().flat_map(|&(name, test)| on_both(name, test, lacks_chromium())).collect();
    tests.extend(on_both(
        "games::axe_finds_nothing",
        games::axe_finds_nothing,
        lacks_chromium().or_else(lacks_axe_core),
    ));
    tests.extend(OTHERS.iter().map(|&(name, test)| trial(name.to_owned(), lacks_chromium(), test)));
    let lacks_page = lacks_chromium().or_else(lacks_static_page);
    tests.extend(ALONE.iter().map(|&(name, test)| trial(name.to_owned(), lacks_page, test)));
    let name = "browser::no_browser_outlives_its_tests".to_owned();
    tests.push(trial(name, None, browser::no_browser_outlives_its_tests));
    libtest_mimic::run(&arguments, tests).exit_code()
}
