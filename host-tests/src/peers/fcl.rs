//! FCL, through the C++ beside this file.

#![allow(unsafe_code, reason = "FCL is C++: it is called through C functions, and nowhere but here")]

use super::{Peer, Said, SaidDistance, Steady};
use crate::scenes::{Path, Place, Shape};
use std::ptr::NonNull;
use std::rc::Rc;

/// Conservative advancement as shipped and as meant, and 10 and 100 samples.
pub(super) fn peers(shapes: &[Shape; 2]) -> Vec<Box<dyn Peer>> {
    let meshes = Rc::new(Meshes::new(shapes));
    let ways = [Way::Advance, Way::AdvanceOriented, Way::Sample10, Way::Sample100];
    ways.map(|way| -> Box<dyn Peer> { Box::new(Fcl { meshes: meshes.clone(), way }) }).into()
}

#[repr(C)]
struct Mesh {
    points: *const f64,
    point_count: usize,
    triangles: *const u32,
    triangle_count: usize,
}

#[repr(C)]
struct Answer {
    kind: i32,
    time: f64,
}

/// The C++ side's own.
#[repr(C)]
struct Loaded {
    _opaque: [u8; 0],
}

// SAFETY: these are the signatures of `fcl.cpp`, and no exception leaves its functions.
unsafe extern "C" {
    /// Copies both meshes; null if FCL refuses them.
    fn avert_fcl_load(first: Mesh, second: Mesh) -> *mut Loaded;
    fn avert_fcl_free(meshes: *mut Loaded);
    fn avert_fcl_advance(meshes: *const Loaded, steady: &Steady) -> Answer;
    fn avert_fcl_advance_oriented(meshes: *const Loaded, steady: &Steady) -> Answer;
    fn avert_fcl_sample(meshes: *const Loaded, steady: &Steady, samples: usize) -> Answer;
    fn avert_fcl_distance(meshes: *const Loaded, rotation: &[f64; 4], position: &[f64; 3]) -> f64;
    #[cfg(test)]
    safe fn avert_fcl_place(steady: &Steady, time: f64, point: &mut [f64; 3]);
}

/// Two meshes that FCL holds.
struct Meshes(NonNull<Loaded>);

impl Meshes {
    fn new(shapes: &[Shape; 2]) -> Self {
        let [first, second] = shapes.each_ref().map(|shape| {
            assert!(shape.triangles.iter().flatten().all(|i| (*i as usize) < shape.points.len()), "no such point");
            Mesh {
                points: shape.points.as_ptr().cast(),
                point_count: shape.points.len(),
                triangles: shape.triangles.as_ptr().cast(),
                triangle_count: shape.triangles.len(),
            }
        });
        // SAFETY: each pointer is to as many threes as the count beside it says, the indices are in range, and both
        // outlive the call.
        let loaded = unsafe { avert_fcl_load(first, second) };
        Self(NonNull::new(loaded).expect("FCL takes the meshes"))
    }
}

impl Drop for Meshes {
    fn drop(&mut self) {
        // SAFETY: it came from `avert_fcl_load` and nobody else frees it.
        unsafe { avert_fcl_free(self.0.as_ptr()) }
    }
}

#[derive(Clone, Copy)]
enum Way {
    /// What a caller of `continuousCollide` gets.
    Advance,
    /// The same with the traversal that FCL has for this kind of mesh and fails to choose.
    AdvanceOriented,
    Sample10,
    Sample100,
}

struct Fcl {
    meshes: Rc<Meshes>,
    way: Way,
}

impl Peer for Fcl {
    fn name(&self) -> &'static str {
        match self.way {
            Way::Advance => "FCL CA",
            Way::AdvanceOriented => "FCL CA oriented",
            Way::Sample10 => "FCL naive 10",
            Way::Sample100 => "FCL naive 100",
        }
    }

    fn cast(&mut self, path: &Path) -> Said {
        let (meshes, steady) = (self.meshes.0.as_ptr(), Steady::new(path));
        // SAFETY: the meshes live as long as `self`, and a query changes nothing in them.
        let answer = unsafe {
            match self.way {
                Way::Advance => avert_fcl_advance(meshes, &steady),
                Way::AdvanceOriented => avert_fcl_advance_oriented(meshes, &steady),
                Way::Sample10 => avert_fcl_sample(meshes, &steady, 10),
                Way::Sample100 => avert_fcl_sample(meshes, &steady, 100),
            }
        };
        match answer.kind {
            0 => Said::Free,
            1 => Said::Contact(answer.time),
            _ => Said::Nothing,
        }
    }

    fn distance_name(&self) -> Option<&'static str> {
        matches!(self.way, Way::Advance).then_some("FCL")
    }

    fn distance(&mut self, place: &Place) -> Option<SaidDistance> {
        let steady = Steady::new(&Path::still(*place));
        // SAFETY: the meshes live as long as `self`, and a query changes nothing in them.
        let distance = unsafe { avert_fcl_distance(self.meshes.0.as_ptr(), &steady.rotation, &steady.position) };
        (!distance.is_nan()).then_some(SaidDistance { distance })
    }
}

#[cfg(test)]
#[test]
fn the_motion_is_the_one_that_was_meant() {
    crate::peers::tests::agrees(1e-13, |path, t, mut x| {
        avert_fcl_place(&Steady::new(path), t, &mut x);
        x
    });
}
