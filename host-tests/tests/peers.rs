//! The other libraries are asked the question that we mean.
#![cfg(any(feature = "parry", feature = "fcl"))]

use avert_host_tests::peers::{Peer, Said, peers};
use avert_host_tests::sampling::sample;
use avert_host_tests::scenes::{Path, Place, Point, Query, Shape, block, turn};

/// A box of half sides 1, 0.5 and 0.25 that goes towards one of half sides 1.
fn boxes() -> [Shape; 2] {
    [block([1.0, 0.5, 0.25]), block([1.0; 3])]
}

fn path(from: Point, linear: Point, angular: Point) -> Path {
    let from = Place { rotation: turn([0.0, 0.0, 1.0], 0.5), position: from };
    Path::Velocities { from, centre: [0.3, -0.2, 0.1], linear, angular }
}

/// How late or early a contact may be told. FCL's advancement as shipped is left out: it misses all of these.
fn slack(peer: &dyn Peer) -> Option<f64> {
    match peer.name() {
        "parry f32" => Some(1e-2),
        "parry f64" => Some(1e-6),
        "FCL CA oriented" => Some(1e-4),
        // The samples are at i / 9 and i / 99.
        "FCL naive 10" => Some(1.0 / 9.0),
        "FCL naive 100" => Some(1.0 / 99.0),
        _ => None,
    }
}

#[test]
fn contacts_come_when_the_oracle_says() {
    let spins: [Point; 4] = [[0.0; 3], [0.0, 0.0, 2.0], [1.0, -2.0, 0.5], [3.0, 0.0, -3.0]];
    for angular in spins {
        let path = path([-6.0, 0.3, 0.2], [10.0, 0.0, 0.0], angular);
        let query = Query::new(boxes(), [path, Path::still(Place::IDENTITY)], 0.0, 1e-3, false);
        let truth = sample(&query, 500).first.expect("they meet");
        for mut peer in peers(&boxes()) {
            let Some(slack) = slack(&*peer) else { continue };
            let said = peer.cast(&path);
            let near = matches!(said, Said::Contact(t) if (t - truth).abs() <= slack);
            assert!(near, "{}, angular {angular:?}: {said:?}, truth {truth}", peer.name());
        }
    }
}

#[test]
fn a_pair_of_poses_is_the_same_motion() {
    let from = Place { rotation: turn([0.0, 0.0, 1.0], 0.5), position: [-6.0, 0.3, 0.2] };
    let to = Place { rotation: turn([0.2, 1.0, 0.3], 2.5), position: [4.0, 0.0, 0.0] };
    let path = Path::Between { from, to, centre: [0.3, -0.2, 0.1] };
    let query = Query::new(boxes(), [path, Path::still(Place::IDENTITY)], 0.0, 1e-3, false);
    let truth = sample(&query, 500).first.expect("they meet");
    for mut peer in peers(&boxes()) {
        let Some(slack) = slack(&*peer) else { continue };
        let said = peer.cast(&path);
        let near = matches!(said, Said::Contact(t) if (t - truth).abs() <= slack);
        assert!(near, "{}: {said:?}, truth {truth}", peer.name());
    }
}

#[test]
fn straight_contacts_come_when_the_faces_meet() {
    let from = Place::at([-6.0, 0.3, 0.2]);
    let straight = Path::Velocities { from, centre: [0.0; 3], linear: [10.0, 0.0, 0.0], angular: [0.0; 3] };
    for mut peer in peers(&boxes()) {
        let Some(slack) = slack(&*peer) else { continue };
        let said = peer.cast(&straight);
        assert!(matches!(said, Said::Contact(t) if (t - 0.4).abs() <= slack), "{}: {said:?}", peer.name());
    }
}

#[test]
fn what_passes_by_is_free() {
    let passing = path([-6.0, 3.0, 0.0], [12.0, 0.0, 0.0], [0.5, 0.0, 1.0]);
    for mut peer in peers(&boxes()) {
        assert_eq!(peer.cast(&passing), Said::Free, "{}", peer.name());
    }
}

#[test]
fn an_overlap_at_the_start_is_a_contact_at_the_start() {
    let apart = path([1.5, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0; 3]);
    for mut peer in peers(&boxes()) {
        assert_eq!(peer.cast(&apart), Said::Contact(0.0), "{}", peer.name());
    }
}

#[test]
fn distances_are_those_of_the_faces() {
    let place = Place { rotation: turn([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2), position: [3.0, 0.2, 0.1] };
    for mut peer in peers(&boxes()) {
        // A quarter turn brings the half side of 0.5 along x.
        let said = peer.distance(&place).expect("it has distances").distance;
        assert!((said - 1.5).abs() < 1e-5, "{}: {said}", peer.name());
        let inside = peer.distance(&Place::at([1.5, 0.0, 0.0])).expect("it has distances").distance;
        assert!(inside <= 0.0, "{}: {inside}", peer.name());
    }
}

#[test]
fn there_is_no_peer_without_triangles() {
    let [first, _] = boxes();
    assert!(peers(&[first, Shape::default()]).is_empty());
}
