//! nalgebra at the boundary: the numbers arrive unchanged, and a pose means the same on both sides.

use avert::{Mat3, Pose, RigidMotion, Vec3};
use nalgebra::{Isometry3, Matrix3, Point3, Translation3, UnitQuaternion, Vector3};

macro_rules! boundary {
    ($name:ident, $t:ident, $near:expr) => {
        #[test]
        fn $name() {
            let v = Vector3::<$t>::new(0.1, -2.0, 3.5);
            assert_eq!(Vector3::<$t>::from(Vec3::<$t>::from(v)), v);
            let p = Point3::<$t>::new(4.0, 0.3, -1.0);
            assert_eq!(Point3::<$t>::from(Vec3::<$t>::from(p)), p);
            let m = Matrix3::<$t>::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0);
            let own = Mat3::<$t>::from(m);
            assert_eq!(Matrix3::<$t>::from(own), m);
            assert_eq!(Vector3::<$t>::from(own.apply(v.into())), m * v, "rows are rows");
            let other = Matrix3::<$t>::new(-3.0, 0.5, 2.0, 8.0, -1.0, 0.25, 4.0, 6.0, -7.0);
            assert_eq!(Matrix3::<$t>::from(own.times(other.into())), m * other, "a product is in that order");

            let rotation = UnitQuaternion::<$t>::from_euler_angles(0.4, -1.1, 2.0);
            let pose = Isometry3::from_parts(Translation3::new(0.5, -0.25, 8.0), rotation);
            let own = Pose::<$t>::from(pose);
            assert!((Isometry3::from(own).to_homogeneous() - pose.to_homogeneous()).norm() < $near);
            // The kernel's placement of that pose puts a point where nalgebra puts it.
            let placement = RigidMotion::still(own).expect("the pose is good").placement(0.0);
            let placed = Vector3::<$t>::from(placement.rotation.apply(p.into()) + placement.position);
            assert!((placed - (pose * p).coords).norm() < 20.0 * $near, "{placed} {}", pose * p);
        }
    };
}

boundary!(single, f32, 1e-6);
boundary!(double, f64, 1e-14);
