//! Bodies of a workcell during a leg: what the kernel accepts of them is true, and its account loses nothing.

use avert_host_tests::laws;
use avert_host_tests::laws::{leg, plan};

laws! {
    never_outside_truth_room: leg::room_law, 10_000, 500_000;
    never_above_truth_stage_rooms_apart: leg::rooms_apart, 4_000, 100_000;
    never_above_truth_stage_span: leg::span, 60_000, 500_000;
    never_outside_truth_ledger_sieve: leg::sieve, 2_000, 50_000;
    never_outside_truth_ledger_split_batch: leg::split_batch, 1_000, 20_000;
    never_outside_truth_leg_is_checked: leg::is_checked, 2_000, 50_000;
    never_outside_truth_stage_place: leg::place, 100, 10_000;
    never_outside_truth_plan_new: plan::new, 1_000, 100_000;
    never_outside_truth_link_range: plan::new, 500, 20_000;
    never_outside_truth_cleared_keeps: plan::keeps, 2_000, 100_000;
    what_plans_are_refused: plan::doors, 1, 1;
    many_places_hide_no_link: plan::many_places, 1, 1;
    jumps_are_refused: plan::jumps, 1_000, 20_000;
    couples_have_their_numbers: leg::numbers, 500, 5_000;
}
