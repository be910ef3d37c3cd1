//! Each deliberate mistake turns a named test red.
//!
//! Runs only in a build made with `RUSTFLAGS="--cfg avert_mutants"`.
#![cfg(avert_mutants)]

use avert::mutant::{Mutant, switch_on};
use avert::{Fix32, Fix64};
use avert_host_tests::flush::flushed;
use avert_host_tests::laws::{
    Law, blob, chain, interval, joint, ledger, leg, model, motion, parallel, path, plan, scalar, separation, solid,
    start, tiny,
};

/// A mistake, the test that must notice it, that test's law, and how many cases it gets: no more than in an ordinary run.
type Row = (Mutant, &'static str, Law, u64);

/// One row for every mistake.
const TABLE: &[Row] = &[
    (Mutant::AddNotDirected, "never_above_truth_scalar_add_lo", scalar::add_lo::<f32>, 20_000),
    (Mutant::MulNotDirected, "never_below_truth_scalar_mul_hi", scalar::mul_hi::<f32>, 20_000),
    (Mutant::SinNotDirected, "never_above_truth_scalar_sin_lo", scalar::sin_lo::<f64>, 20_000),
    (Mutant::RoundingDropped, "never_below_truth_span_new", separation::span_new::<f32>, 20_000),
    (Mutant::PoseErrorDropped, "never_above_truth_probe_separates", separation::separates::<f64>, 500_000),
    (Mutant::GeometryErrorDropped, "never_above_truth_probe_separates", separation::separates::<f32>, 500_000),
    (Mutant::MarginDropped, "never_above_truth_probe_separates", separation::separates::<f32>, 500_000),
    (Mutant::ChordNinth, "never_above_truth_probe_separates", separation::separates::<f32>, 500_000),
    (Mutant::EndNotChecked, "never_above_truth_probe_separates", separation::separates::<f32>, 500_000),
    (Mutant::RadiusDropped, "never_above_truth_probe_separates", separation::separates::<f32>, 500_000),
    (Mutant::FrameTransposed, "never_above_truth_probe_separates", separation::separates::<f32>, 500_000),
    (Mutant::AxisInBodyFrame, "never_outside_truth_rigid_motion_placement", motion::placement::<f32>, 50_000),
    (Mutant::SpeedSign, "never_above_truth_aim_apart_until", separation::apart_until::<f32>, 100_000),
    (Mutant::SpreadDropped, "never_below_truth_rigid_motion_spin_hi", motion::spin_hi::<f32>, 50_000),
    (Mutant::ChildNotPushed, "never_outside_truth_ledger_split_a", ledger::split_a::<f32>, 1_000),
    (Mutant::TimeSkipped, "never_outside_truth_ledger_split_time", ledger::split_time::<f32>, 1_000),
    (Mutant::NodeShrunk, "never_outside_truth_model_prove", model::prove::<f32>, 2_000),
    (Mutant::ContactPoseErrorDropped, "never_below_truth_distance_hi", separation::distance_law::<f64>, 20_000),
    (Mutant::ContactRadiusTwice, "never_below_truth_distance_hi", separation::distance_law::<f32>, 20_000),
    (Mutant::CentreIgnored, "never_below_truth_bounds_bulge_hi", separation::bulge_hi::<f32>, 5_000),
    (Mutant::CellCornerIgnored, "never_below_truth_table_proves", blob::table_law::<f32>, 2_000),
    (Mutant::PostponedTakesLast, "never_outside_truth_ledger_postpone", ledger::postpone::<f32>, 1_000),
    (Mutant::PostponedForgotten, "never_outside_truth_ledger_postpone", ledger::postpone::<f32>, 1_000),
    (Mutant::ClearanceTakesLast, "never_outside_truth_clearance_close", ledger::close::<f32>, 1_000),
    (Mutant::AimRadiusDropped, "never_above_truth_aim_apart_until", separation::apart_until::<f32>, 100_000),
    (Mutant::AimErrorDropped, "never_above_truth_aim_distance_lo", separation::distance_lo::<f64>, 50_000),
    (Mutant::AimMarginDropped, "never_above_truth_aim_apart_until", separation::apart_until::<f32>, 100_000),
    (Mutant::ArmOfCentre, "never_below_truth_scene_arm_hi", separation::arm_hi::<f32>, 20_000),
    (Mutant::DriftErrorDropped, "never_below_truth_rigid_motion_drift_hi", motion::drift_hi::<f32>, 50_000),
    (Mutant::RootPlain, "never_below_truth_scalar_longest_hi", interval::longest_hi::<f32>, 100_000),
    (Mutant::ArmErrorDropped, "never_below_truth_scene_arm_hi", separation::arm_hi::<f32>, 20_000),
    (Mutant::SpinErrorDropped, "never_below_truth_rigid_motion_spin_hi", motion::spin_hi::<f32>, 50_000),
    (Mutant::AuditTakesLast, "never_above_truth_ledger_audit", ledger::audit::<f32>, 1_000),
    (Mutant::DeviationDropped, "never_below_truth_deviation_hi", motion::deviation_hi::<f64>, 5_000),
    (Mutant::OpenAccepted, "never_outside_truth_model_into_solid", solid::into_solid::<f32>, 1_000),
    (Mutant::PartMissing, "never_outside_truth_model_with_parts", solid::with_parts::<f32>, 1_000),
    (Mutant::CrossingUnsigned, "never_outside_truth_winding", solid::winding_law::<f32>, 500),
    (Mutant::NodeBehindShort, "never_outside_truth_winding", solid::winding_law::<f32>, 1_000),
    (Mutant::StartErrorDropped, "never_outside_truth_winding", solid::winding_law::<f32>, 1_000),
    (Mutant::AcrossErrorDropped, "never_outside_truth_scene_across", start::across::<f32>, 20_000),
    (Mutant::StartNotAsked, "never_outside_truth_ledger_place_next", start::place_next::<f32>, 500),
    (Mutant::FixedMulNotDirected, "never_below_truth_scalar_mul_hi", scalar::mul_hi::<Fix32>, 20_000),
    (Mutant::FixedRootNotDirected, "never_below_truth_scalar_longest_hi", interval::longest_hi::<Fix64>, 20_000),
    (Mutant::FixedSineNotDirected, "never_above_truth_scalar_sin_lo", scalar::sin_lo::<Fix32>, 20_000),
    (Mutant::FixedOverflowKept, "never_below_truth_scalar_add_hi", scalar::add_hi::<Fix32>, 20_000),
    (Mutant::FixedMaxDropsNan, "every_pair_of_numbers", tiny::binary, 1),
    (Mutant::FlushForgotten, "flushed_mul_hi", |n, seed| flushed(|| scalar::mul_hi::<f32>(n, seed)), 20_000),
    (Mutant::PathErrorDropped, "never_outside_truth_joint_path_value", joint::value::<f32>, 20_000),
    (Mutant::RangeOfEnds, "never_outside_truth_joint_path_range", joint::range::<f32>, 20_000),
    (Mutant::SpeedOfMiddle, "never_below_truth_joint_path_speed_hi", joint::speed_hi::<f32>, 20_000),
    (
        Mutant::AccelerationOfMiddle,
        "never_below_truth_joint_path_acceleration_hi",
        joint::acceleration_hi::<f32>,
        20_000,
    ),
    (Mutant::MultiplierDropped, "never_below_truth_chain_motion_sway", chain::sway::<f32>, 20_000),
    (Mutant::PhaseErrorDropped, "never_below_truth_chain_motion_error", chain::placement::<f32>, 20_000),
    (Mutant::ParentTurnDropped, "never_below_truth_chain_motion_error", chain::placement::<f32>, 20_000),
    (Mutant::CoriolisDropped, "never_below_truth_chain_motion_sway", chain::sway::<f32>, 20_000),
    (Mutant::SweptChord, "never_outside_truth_swept", chain::swept_law::<f32>, 20_000),
    (Mutant::AstrayArmDropped, "never_below_truth_chain_motion_astray_hi", chain::astray_hi::<f32>, 20_000),
    (Mutant::OffsetDropped, "never_below_truth_chain_motion_sway", chain::sway::<f32>, 20_000),
    (Mutant::ArmOfEnds, "never_below_truth_chain_motion_ball_sway", chain::ball_sway::<f32>, 20_000),
    (Mutant::RevisionKept, "every_change_is_a_new_revision", path::changes::<f32>, 20),
    (Mutant::StaleAccepted, "every_change_is_a_new_revision", path::changes::<f32>, 20),
    (Mutant::JumpIgnored, "jumps_are_refused", plan::jumps::<f32>, 1_000),
    (Mutant::CoupleSkipped, "never_outside_truth_leg_is_checked", leg::is_checked::<f32>, 2_000),
    (Mutant::TrackingDropped, "never_above_truth_stage_span", leg::span::<f32>, 60_000),
    (Mutant::FrameOfWorld, "never_above_truth_stage_span", leg::span::<f32>, 60_000),
    (Mutant::RoomOfChord, "never_outside_truth_room", leg::room_law::<f32>, 10_000),
    (Mutant::BatchClosedEarly, "never_outside_truth_leg_is_checked", leg::is_checked::<f32>, 2_000),
    (Mutant::SecondBulgeDropped, "never_above_truth_stage_span", leg::span::<f32>, 60_000),
    (Mutant::HourIgnored, "never_above_truth_stage_span", leg::span::<f32>, 60_000),
    (Mutant::LimitsOfStart, "never_outside_truth_plan_new", plan::new::<f32>, 1_000),
    (Mutant::FollowerUnchecked, "never_outside_truth_plan_new", plan::new::<f32>, 1_000),
    (Mutant::ChangeIgnored, "every_change_is_a_new_revision", path::changes::<f32>, 20),
    (Mutant::UntilIgnored, "never_outside_truth_cleared_keeps", plan::keeps::<f32>, 2_000),
    (Mutant::BrakeLate, "never_outside_truth_cleared_keeps", plan::keeps::<f32>, 2_000),
];

/// The same mistakes where they are made in legs.
const IN_LEGS: &[Row] = &[
    (Mutant::PoseErrorDropped, "never_above_truth_stage_span", leg::span::<f64>, 60_000),
    (Mutant::GeometryErrorDropped, "never_above_truth_stage_span", leg::span::<f32>, 60_000),
    (Mutant::MarginDropped, "never_above_truth_stage_span", leg::span::<f32>, 60_000),
    (Mutant::ChordNinth, "never_above_truth_stage_span", leg::span::<f32>, 60_000),
    (Mutant::EndNotChecked, "never_above_truth_stage_span", leg::span::<f32>, 60_000),
    (Mutant::StartNotAsked, "never_outside_truth_stage_place", leg::place::<f32>, 100),
    (Mutant::PoseErrorDropped, "never_outside_truth_room", leg::room_law::<f64>, 10_000),
    (Mutant::GeometryErrorDropped, "never_outside_truth_room", leg::room_law::<f32>, 10_000),
    (Mutant::PathErrorDropped, "never_outside_truth_cleared_keeps", plan::keeps::<f32>, 2_000),
];

/// A new mistake without a row does not compile.
fn named(mutant: Mutant) -> usize {
    match mutant {
        Mutant::None => 0,
        Mutant::AddNotDirected
        | Mutant::MulNotDirected
        | Mutant::SinNotDirected
        | Mutant::RoundingDropped
        | Mutant::PoseErrorDropped
        | Mutant::GeometryErrorDropped
        | Mutant::MarginDropped
        | Mutant::ChordNinth
        | Mutant::EndNotChecked
        | Mutant::RadiusDropped
        | Mutant::FrameTransposed
        | Mutant::AxisInBodyFrame
        | Mutant::SpeedSign
        | Mutant::SpreadDropped
        | Mutant::ChildNotPushed
        | Mutant::TimeSkipped
        | Mutant::NodeShrunk
        | Mutant::ContactPoseErrorDropped
        | Mutant::ContactRadiusTwice
        | Mutant::CentreIgnored
        | Mutant::CellCornerIgnored
        | Mutant::PostponedTakesLast
        | Mutant::PostponedForgotten
        | Mutant::ClearanceTakesLast
        | Mutant::AimRadiusDropped
        | Mutant::AimErrorDropped
        | Mutant::AimMarginDropped
        | Mutant::ArmOfCentre
        | Mutant::DriftErrorDropped
        | Mutant::RootPlain
        | Mutant::ArmErrorDropped
        | Mutant::SpinErrorDropped
        | Mutant::AuditTakesLast
        | Mutant::DeviationDropped
        | Mutant::OpenAccepted
        | Mutant::PartMissing
        | Mutant::CrossingUnsigned
        | Mutant::NodeBehindShort
        | Mutant::StartErrorDropped
        | Mutant::AcrossErrorDropped
        | Mutant::StartNotAsked
        | Mutant::FixedMulNotDirected
        | Mutant::FixedRootNotDirected
        | Mutant::FixedSineNotDirected
        | Mutant::FixedOverflowKept
        | Mutant::FixedMaxDropsNan
        | Mutant::FlushForgotten
        | Mutant::PathErrorDropped
        | Mutant::RangeOfEnds
        | Mutant::SpeedOfMiddle
        | Mutant::AccelerationOfMiddle
        | Mutant::MultiplierDropped
        | Mutant::PhaseErrorDropped
        | Mutant::ParentTurnDropped
        | Mutant::CoriolisDropped
        | Mutant::SweptChord
        | Mutant::AstrayArmDropped
        | Mutant::OffsetDropped
        | Mutant::ArmOfEnds
        | Mutant::RevisionKept
        | Mutant::StaleAccepted
        | Mutant::JumpIgnored
        | Mutant::CoupleSkipped
        | Mutant::TrackingDropped
        | Mutant::FrameOfWorld
        | Mutant::RoomOfChord
        | Mutant::BatchClosedEarly
        | Mutant::SecondBulgeDropped
        | Mutant::HourIgnored
        | Mutant::LimitsOfStart
        | Mutant::FollowerUnchecked
        | Mutant::ChangeIgnored
        | Mutant::UntilIgnored
        | Mutant::BrakeLate => mutant as usize,
    }
}

/// The named tests exist: written out, or as an entry of a table of laws.
#[test]
fn the_named_tests_exist() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files = std::fs::read_dir(folder).expect("a readable folder").map(|e| e.expect("a readable entry").path());
    let sources = files.filter(|path| path.extension().is_some_and(|e| e == "rs") && !path.ends_with("mutants.rs"));
    let text: String = sources.map(|path| std::fs::read_to_string(path).expect("a readable source")).collect();
    let exists = |test: &str| {
        let starts = |line: &str| {
            let line = line.trim_start();
            line.starts_with(&format!("fn {test}(")) || line.starts_with(&format!("{test}: "))
        };
        text.lines().any(starts)
    };
    let missing: Vec<_> = TABLE.iter().chain(IN_LEGS).map(|row| row.1).filter(|test| !exists(test)).collect();
    assert!(missing.is_empty(), "no test of the name: {missing:#?}");
}

/// One test for all: the switch is the whole process's.
#[test]
fn every_mistake_is_noticed() {
    let rows: Vec<usize> = TABLE.iter().map(|row| named(row.0)).collect();
    let last = named(Mutant::BrakeLate);
    assert_eq!(rows, (1..=last).collect::<Vec<_>>(), "one row for every mistake, in order");

    switch_on(Mutant::None);
    for (_, test, law, cases) in TABLE.iter().chain(IN_LEGS) {
        // The laws themselves run at full length in their own tests.
        parallel(*law, (*cases).min(50_000), 1).unwrap_or_else(|case| panic!("{test} fails without a mistake: {case}"));
    }
    let mut unnoticed = Vec::new();
    for (mutant, test, law, cases) in TABLE.iter().chain(IN_LEGS) {
        switch_on(*mutant);
        match parallel(*law, *cases, 1) {
            Ok(()) => unnoticed.push(format!("{mutant:?} passes {test}")),
            Err(case) => println!("{mutant:?}: {test}: {}", case.chars().take(160).collect::<String>()),
        }
    }
    switch_on(Mutant::None);
    assert!(unnoticed.is_empty(), "{unnoticed:#?}");
    println!("{} mistakes, each noticed", TABLE.len() + IN_LEGS.len());
}
