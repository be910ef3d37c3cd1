//! Conversions from and to nalgebra, for `f32` and `f64`.

use crate::scalar::{Mat3, Pose, Quaternion, Vec3};

macro_rules! convert {
    ($t:ident) => {
        impl From<nalgebra::Vector3<$t>> for Vec3<$t> {
            fn from(v: nalgebra::Vector3<$t>) -> Self {
                Self::new(v.x, v.y, v.z)
            }
        }

        impl From<nalgebra::Point3<$t>> for Vec3<$t> {
            fn from(p: nalgebra::Point3<$t>) -> Self {
                Self::new(p.x, p.y, p.z)
            }
        }

        impl From<Vec3<$t>> for nalgebra::Vector3<$t> {
            fn from(v: Vec3<$t>) -> Self {
                Self::new(v.x, v.y, v.z)
            }
        }

        impl From<Vec3<$t>> for nalgebra::Point3<$t> {
            fn from(v: Vec3<$t>) -> Self {
                Self::new(v.x, v.y, v.z)
            }
        }

        impl From<nalgebra::Matrix3<$t>> for Mat3<$t> {
            fn from(m: nalgebra::Matrix3<$t>) -> Self {
                // nalgebra stores columns.
                let [x, y, z] = m.data.0.map(Vec3::from);
                Self::new([x, y, z]).transpose()
            }
        }

        impl From<Mat3<$t>> for nalgebra::Matrix3<$t> {
            fn from(m: Mat3<$t>) -> Self {
                let [a, b, c] = m.rows;
                Self::new(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z)
            }
        }

        impl From<nalgebra::Isometry3<$t>> for Pose<$t> {
            fn from(pose: nalgebra::Isometry3<$t>) -> Self {
                let q = pose.rotation.into_inner();
                Self { rotation: Quaternion::new(q.w, q.i, q.j, q.k), position: pose.translation.vector.into() }
            }
        }

        impl From<Pose<$t>> for nalgebra::Isometry3<$t> {
            /// The quaternion is normalised.
            fn from(pose: Pose<$t>) -> Self {
                let Quaternion { w, v } = pose.rotation;
                let rotation = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, v.x, v.y, v.z));
                Self::from_parts(nalgebra::Translation3::from(nalgebra::Vector3::from(pose.position)), rotation)
            }
        }
    };
}

convert!(f32);
convert!(f64);
