//! parry, in single and in double precision: two crates with the same words.

use super::{Peer, Said, SaidDistance, Steady};
use crate::scenes::{Path, Place, Shape};

/// Both precisions.
pub(super) fn peers(shapes: &[Shape; 2]) -> Vec<Box<dyn Peer>> {
    vec![Box::new(single::Parry::new(shapes)), Box::new(double::Parry::new(shapes))]
}

macro_rules! parry {
    ($module:ident, $library:ident, $name:literal) => {
        mod $module {
            use super::*;
            use $library::math::{Pose, Real, Rotation, Vector};
            use $library::query::{self, NonlinearRigidMotion, Unsupported};
            use $library::shape::TriMesh;

            pub(super) struct Parry {
                meshes: [TriMesh; 2],
            }

            fn vector(x: [f64; 3]) -> Vector {
                Vector::from(x.map(|x| x as Real))
            }

            fn pose(wxyz: [f64; 4], position: [f64; 3]) -> Pose {
                let [w, x, y, z] = wxyz.map(|x| x as Real);
                Pose::from_parts(vector(position), Rotation::from_xyzw(x, y, z, w).normalize())
            }

            pub(super) fn motion(path: &Path) -> NonlinearRigidMotion {
                let Steady { rotation, position, centre, linear, angular } = Steady::new(path);
                NonlinearRigidMotion::new(pose(rotation, position), vector(centre), vector(linear), vector(angular))
            }

            impl Parry {
                pub(super) fn new(shapes: &[Shape; 2]) -> Self {
                    let meshes = shapes.each_ref().map(|shape| {
                        let points = shape.points.iter().map(|p| vector(*p)).collect();
                        TriMesh::new(points, shape.triangles.clone())
                            .expect("parry refuses only a mesh of no triangles")
                    });
                    Self { meshes }
                }
            }

            impl Peer for Parry {
                fn name(&self) -> &'static str {
                    $name
                }

                fn cast(&mut self, path: &Path) -> Said {
                    let [first, second] = &self.meshes;
                    let still = NonlinearRigidMotion::identity();
                    match query::cast_shapes_nonlinear(&motion(path), first, &still, second, 0.0, 1.0, true) {
                        // A hit is a contact whatever its status. `PenetratingOrWithinTargetDist` is an overlap at
                        // time 0, and `Failed` is what parry says when the last step went past the touch: two
                        // triangles overlap at the time it gives.
                        Ok(Some(hit)) => Said::Contact(f64::from(hit.time_of_impact)),
                        // Also where a pair of parts had no answer: parry drops that.
                        Ok(None) => Said::Free,
                        Err(Unsupported) => Said::Nothing,
                    }
                }

                fn distance_name(&self) -> Option<&'static str> {
                    Some($name)
                }

                fn distance(&mut self, place: &Place) -> Option<SaidDistance> {
                    let [first, second] = &self.meshes;
                    let at = pose(place.rotation, place.position);
                    let found = query::distance(&at, first, &Pose::IDENTITY, second).ok()?;
                    Some(SaidDistance { distance: f64::from(found.distance) })
                }
            }

            #[cfg(test)]
            #[test]
            fn the_motion_is_the_one_that_was_meant() {
                crate::peers::tests::agrees(100.0 * f64::from(Real::EPSILON), |path, t, x| {
                    let at = motion(path).position_at_time(t as Real);
                    (at * vector(x)).to_array().map(f64::from)
                });
            }
        }
    };
}

parry!(single, parry3d, "parry f32");
parry!(double, parry3d_f64, "parry f64");
