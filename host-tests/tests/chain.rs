//! Joints and trees of links: values, poses and bounds err only to their side of the true motion.

use avert_host_tests::laws;
use avert_host_tests::laws::{chain, joint};

laws! {
    never_outside_truth_joint_path_value: joint::value, 200_000, 2_000_000;
    never_below_truth_joint_path_value_error_hi: joint::value, 50_000, 500_000;
    never_below_truth_joint_path_value_hi: joint::value_hi, 50_000, 500_000;
    never_outside_truth_joint_path_range: joint::range, 200_000, 2_000_000;
    never_below_truth_joint_path_speed_hi: joint::speed_hi, 200_000, 2_000_000;
    never_below_truth_joint_path_acceleration_hi: joint::acceleration_hi, 200_000, 2_000_000;
    tight_path: joint::tight_path, 5_000, 100_000;
    never_outside_truth_chain_motion_placements: chain::placement, 20_000, 500_000;
    never_outside_truth_chain_motion_relative: chain::placement, 20_000, 500_000;
    never_below_truth_chain_motion_error: chain::placement, 20_000, 500_000;
    never_below_truth_chain_motion_errors: chain::errors, 20_000, 500_000;
    never_below_truth_placement_error_at_hi: chain::placement, 20_000, 500_000;
    never_below_truth_link_arm_hi: chain::arm_hi, 20_000, 500_000;
    never_below_truth_points_one: chain::arm_hi, 20_000, 500_000;
    never_below_truth_chain_motion_sweeps: chain::sway, 20_000, 500_000;
    never_below_truth_chain_motion_sway: chain::sway, 20_000, 500_000;
    never_below_truth_chain_motion_ball_sway: chain::ball_sway, 40_000, 500_000;
    tight_ball_sway: chain::tight_ball_sway, 2_000, 20_000;
    never_outside_truth_swept: chain::swept_law, 20_000, 500_000;
    never_below_truth_chain_motion_astray_hi: chain::astray_hi, 20_000, 500_000;
    tight_chain_placement: chain::tight_placement, 500, 5_000;
    tight_chain_sway: chain::tight_sway, 2_000, 50_000;
    what_is_refused: chain::doors, 1, 1;
}
