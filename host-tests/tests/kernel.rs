//! The proof kernel: what it accepts is true of the real motion, and its account loses nothing.

use avert::{Fix32, Fix64};
use avert_host_tests::laws::{ledger, model, parallel, separation, solid, start};
use avert_host_tests::{cases, laws, report};

laws! {
    never_below_truth_core_distance_hi: model::core_distance_law, 50_000, 1_000_000;
    never_outside_truth_model_prove: model::prove, 10_000, 50_000;
    never_below_truth_model_extent_hi: model::extent_hi, 2_000, 50_000;
    never_below_truth_model_ball_hi: model::ball_hi, 2_000, 50_000;
    never_below_truth_model_half_hi: model::half_hi, 2_000, 50_000;
    never_below_truth_model_reach_hi: model::reach_hi, 2_000, 50_000;
    never_below_truth_model_core_hi: model::core_hi, 2_000, 50_000;
    never_below_truth_model_radius_hi: model::radius_hi, 2_000, 50_000;
    never_below_truth_bounds_bulge_hi: separation::bulge_hi, 5_000, 200_000;
    never_below_truth_bounds_error_hi: separation::error_hi, 20_000, 500_000;
    never_below_truth_bounds_rounding_hi: separation::rounding_hi, 5_000, 100_000;
    never_below_truth_bounds_speed_hi: separation::speed_hi, 5_000, 200_000;
    never_below_truth_span_new: separation::span_new, 50_000, 500_000;
    never_above_truth_aim_apart_until: separation::apart_until, 300_000, 3_000_000;
    never_below_truth_scene_arm_hi: separation::arm_hi, 20_000, 500_000;
    never_above_truth_aim_distance_lo: separation::distance_lo, 50_000, 500_000;
    never_below_truth_distance_hi: separation::distance_law, 100_000, 500_000;
    never_outside_truth_ledger_split_a: ledger::split_a, 1_000, 20_000;
    never_outside_truth_ledger_split_b: ledger::split_b, 1_000, 20_000;
    never_outside_truth_ledger_split_time: ledger::split_time, 1_000, 20_000;
    never_outside_truth_ledger_discharge: ledger::discharge, 1_000, 20_000;
    never_outside_truth_ledger_advance: ledger::advance, 1_000, 20_000;
    never_outside_truth_ledger_postpone: ledger::postpone, 1_000, 20_000;
    never_outside_truth_ledger_renew: ledger::renew, 1_000, 20_000;
    never_outside_truth_clearance_close: ledger::close, 1_000, 20_000;
    never_above_truth_clearance_distance_lo: ledger::close, 1_000, 20_000;
    never_above_truth_ledger_audit: ledger::audit, 1_000, 20_000;
    never_outside_truth_winding: solid::winding_law, 1_500, 100_000;
    never_outside_truth_model_into_solid: solid::into_solid, 2_000, 50_000;
    never_outside_truth_model_with_parts: solid::with_parts, 2_000, 50_000;
    never_outside_truth_scene_across: start::across, 20_000, 500_000;
    never_outside_truth_ledger_place_next: start::place_next, 1_000, 50_000;
    tight_winding: solid::tight_winding, 2_000, 100_000;
    tight_across: start::tight_across, 20_000, 200_000;
    tight_core_distance_hi: model::tight_core_distance, 20_000, 200_000;
    tight_bulge_hi: separation::tight_bulge_hi, 20_000, 200_000;
    tight_distance_hi: separation::tight_distance, 20_000, 200_000;
    tight_distance_lo: separation::tight_distance_lo, 20_000, 200_000;
    tight_apart_until: separation::tight_apart_until, 20_000, 200_000;
    tight_separates: separation::tight_separates, 5_000, 100_000;
}

/// The great one: random pieces, motions and directions, with the margin at the edge of the truth.
#[test]
fn never_above_truth_probe_separates() -> Result<(), String> {
    let count = cases(2_000_000, 12_000_000);
    for (name, law) in [
        ("f32", separation::separates::<f32> as fn(u64, u64) -> _),
        ("f64", separation::separates::<f64>),
        ("fix32", separation::separates::<Fix32>),
        ("fix64", separation::separates::<Fix64>),
    ] {
        parallel(law, count, 3)?;
        report(&format!("kernel {name}: {count} separation decisions, none false"));
    }
    Ok(())
}
