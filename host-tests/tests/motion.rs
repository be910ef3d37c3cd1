//! Rigid motions: places and speeds err only to their side of the true motion.

use avert_host_tests::laws;
use avert_host_tests::laws::motion;

laws! {
    never_outside_truth_rigid_motion_placement: motion::placement, 300_000, 2_000_000;
    never_below_truth_rigid_motion_placement_error_hi: motion::placement, 50_000, 500_000;
    never_below_truth_placement_error_of_motion: motion::of_motion, 50_000, 500_000;
    never_below_truth_rigid_motion_position_hi: motion::position_hi, 50_000, 500_000;
    never_below_truth_rigid_motion_angle_hi: motion::angle_hi, 50_000, 500_000;
    never_below_truth_rigid_motion_drift_hi: motion::drift_hi, 50_000, 500_000;
    never_outside_truth_rigid_motion_axis: motion::axis, 50_000, 500_000;
    never_below_truth_rigid_motion_axis_error_hi: motion::axis, 50_000, 500_000;
    tight_drift_and_spin: motion::tight_drift_and_spin, 20_000, 200_000;
    never_below_truth_rigid_motion_spin_hi: motion::spin_hi, 50_000, 500_000;
    never_below_truth_rigid_motion_axis_distance_hi: motion::axis_distance_hi, 50_000, 500_000;
    never_below_truth_rigid_motion_speed_hi: motion::speed_hi, 50_000, 500_000;
    never_outside_truth_rigid_motion_screw: motion::screw, 100_000, 1_000_000;
    never_outside_truth_rigid_motion_screw_enclosures: motion::screw, 100_000, 1_000_000;
    never_below_truth_deviation_hi: motion::deviation_hi, 50_000, 500_000;
    tight_screw: motion::tight_screw, 20_000, 200_000;
    tight_placement: motion::tight_placement, 20_000, 200_000;
}
