//! Baked robots: round trips, damage, and every kind of error.

use avert::hierarchy::BlobError;
use avert::motion::{Joint, JointKind, Link, LinkIndex};
use avert::robot::{
    DraftLink, Margins, ObjectIndex, Part, Reason, RobotBakeError, RobotBlob, RobotBlobError, RobotDraft, RobotSizes,
    Storage, WorkcellError, Wrong,
};
use avert::{Fix32, Fix64, Interval, Pose, Vec3};
use avert_host_tests::laws::blob::{Damage, seal};
use avert_host_tests::laws::robot_blob::{self, Robot, damage};
use avert_host_tests::random::Random;
use avert_host_tests::{cases, laws, report};
use rayon::prelude::*;

laws! {
    never_outside_truth_robot_blob_workcell: robot_blob::workcell, 300, 20_000;
    a_baked_robot_is_the_robot: robot_blob::round_trip, 300, 20_000;
}

#[test]
fn no_damage_to_a_robot_goes_unnoticed() -> Result<(), String> {
    let each = cases(3_000, 150_000);
    let kinds = [damage::<f32> as fn(u64, u64) -> _, damage::<f64>, damage::<Fix32>, damage::<Fix64>];
    let seeded = kinds.into_par_iter().zip([1, 2, 3, 4]);
    let all = seeded.map(|(damage, seed)| damage(each, seed)).collect::<Result<Vec<_>, _>>()?;
    let sum = |count: fn(&Damage) -> u64| all.iter().map(count).sum::<u64>();
    let (noticed, refused, sound) = (sum(|d| d.noticed), sum(|d| d.refused), sum(|d| d.sound));
    report(&format!(
        "damaged robots: {noticed} noticed, 0 not; with forged checksums {refused} refused and {sound} sound robots"
    ));
    assert!(refused > 0 && sound > 0);
    Ok(())
}

/// A robot with two links or more, one of which follows another, and an object.
fn rich() -> Vec<u8> {
    let mut random = Random::new(5);
    loop {
        let bytes = Robot::random(&mut random).bake();
        let blob = RobotBlob::parse(&bytes).unwrap();
        let joints: Vec<_> = (0..blob.links() as u8).map(|i| blob.joint(LinkIndex(i)).unwrap()).collect();
        let second = joints.get(1).is_some_and(|joint| joint.mimic.is_some() && joint.parent.is_some());
        let full = second && blob.limits(LinkIndex(0)).is_some() && blob.model(LinkIndex(0)).is_some();
        let named = blob.link_name(LinkIndex(0)).is_some_and(|name| name.starts_with('a'));
        if full && named && blob.objects() > 0 && blob.allowed().count() > 1 {
            return bytes;
        }
    }
}

#[test]
fn what_is_wrong_is_said_and_where() {
    let whole = rich();
    let blob = RobotBlob::parse(&whole).unwrap();
    let (links, pairs) = (blob.links(), blob.allowed().count());
    let [at_pairs, at_objects] = [64 + 216 * links, 64 + 216 * links + 3 * pairs];
    let at_ends = at_objects + 116 * blob.objects();
    let at_name_ends = at_ends + 4 * blob.models();
    let at_names = at_name_ends + 4 * (2 * links + blob.objects());
    let at_models = at_names + u32::from_le_bytes(whole[24..28].try_into().unwrap()) as usize;
    let wrong = |at: usize, new: &[u8], expected: RobotBlobError, words: &str| {
        let mut bytes = whole.clone();
        bytes[at..at + new.len()].copy_from_slice(new);
        seal(&mut bytes);
        let error = RobotBlob::parse(&bytes).unwrap_err();
        assert_eq!(error, expected, "{new:?} at {at}");
        assert!(error.to_string().contains(words), "{error} lacks {words}");
    };
    use RobotBlobError::{Header, Length, Link, Magic, Name, Object, Pair, Version};
    let length = whole.len();
    let nan = &f64::NAN.to_le_bytes();
    let (first, second) = (LinkIndex(0), LinkIndex(1));
    wrong(0, b"AVRT", Magic, "AVRR");
    wrong(4, &[2], Version(2), "version 2");
    wrong(8, &[0; 4], Length(length, 0), "0 bytes long");
    wrong(6, &[0], Header(6), "byte 6");
    wrong(6, &[65], Header(6), "byte 6");
    wrong(7, &[64], Header(7), "byte 7");
    wrong(23, &[1], Header(23), "byte 23");
    wrong(28, &[1], Header(28), "byte 28");
    wrong(40, nan, Header(40), "byte 40");
    wrong(48, &(-1.0_f64).to_le_bytes(), Header(48), "byte 48");
    wrong(63, &[1], Header(63), "byte 63");
    wrong(64, &[3], Link(first, Wrong::Kind), "link 0: its joint is of no known kind");
    wrong(64 + 216 + 1, &[1], Link(second, Wrong::Parent), "link 1: its parent does not come before it");
    wrong(64 + 216 + 2, &[1], Link(second, Wrong::Driver), "link 1: its joint follows one");
    wrong(64 + 216 + 2, &[64], Link(second, Wrong::Driver), "link 1: its joint follows one");
    wrong(64 + 3, &[2], Link(first, Wrong::Blank), "link 0: a byte that should be zero");
    wrong(64 + 4, &[0xfe, 0xff], Link(first, Wrong::Model), "link 0: its model does not exist");
    wrong(64 + 6, &[1], Link(first, Wrong::Blank), "link 0: a byte that should be zero");
    wrong(64 + 8, nan, Link(first, Wrong::Number), "link 0: a number is not finite");
    wrong(64 + 72, &1e300_f64.to_le_bytes(), Link(first, Wrong::Number), "wrong order");
    wrong(64 + 216 + 168, nan, Link(second, Wrong::Number), "link 1");
    wrong(64 + 200, &9.0_f64.to_le_bytes(), Link(first, Wrong::Limits), "link 0: its limits");
    wrong(at_pairs, &[1, 1, 1], Pair(0), "allowed pair 0");
    wrong(at_pairs + 1, &[64], Pair(0), "allowed pair 0");
    wrong(at_pairs + 2, &[6], Pair(0), "allowed pair 0");
    wrong(at_pairs + 3, &whole[at_pairs..at_pairs + 3], Pair(1), "allowed pair 1");
    wrong(at_objects, &[0xff; 2], Object(ObjectIndex(0), Wrong::Model), "object 0: its model");
    wrong(at_objects + 2, &[1], Object(ObjectIndex(0), Wrong::Blank), "object 0");
    wrong(at_objects + 4, nan, Object(ObjectIndex(0), Wrong::Number), "object 0");
    wrong(at_names, &[0xff], Name(0), "name 0");
    wrong(at_name_ends, &[0xff; 4], Name(0), "name 0");
    wrong(at_ends, &[0xff; 4], RobotBlobError::End(0), "model 0");
    wrong(at_models, b"AVRX", RobotBlobError::Model(0, BlobError::Magic), "model 0: these bytes are no baked model");
}

#[test]
fn no_part_of_a_robot_is_a_robot() {
    let whole = rich();
    for length in 0..whole.len() {
        let mut part = whole[..length].to_vec();
        let error = RobotBlob::parse(&part).unwrap_err();
        assert!(matches!(error, RobotBlobError::Magic | RobotBlobError::Length(..)), "{length}: {error}");
        seal(&mut part);
        assert!(RobotBlob::parse(&part).is_err(), "{length}");
    }
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert!(matches!(RobotBlob::parse(&flipped).unwrap_err(), RobotBlobError::Checksum(..)));
}

#[test]
fn a_bad_draft_is_refused() {
    let joint = Joint {
        kind: JointKind::Fixed,
        parent: None,
        origin: Pose::<f64>::IDENTITY.into(),
        axis: Vec3::from([Interval::ZERO; 3]),
        mimic: None,
    };
    let link = DraftLink { name: "l", joint_name: "", joint, limits: None, model: None };
    let good = RobotDraft { links: &[link], objects: &[], allowed: &[], margins: Margins::all(0.0), payloads: 0 };
    let bake = |draft: &RobotDraft<'_>| draft.bake(&mut vec![0; draft.room()]);
    let refused = |draft: &RobotDraft<'_>, expected: RobotBakeError, words: &str| {
        let error = bake(draft).unwrap_err();
        assert!(error == expected && error.to_string().contains(words), "{error:?}");
    };
    assert_eq!(bake(&good), Ok(good.room()));
    assert_eq!(good.bake(&mut [0; 9]), Err(RobotBakeError::Room(good.room())));
    let blob = |e| RobotBakeError::Blob(e);
    refused(&RobotDraft { links: &[], ..good }, blob(RobotBlobError::Header(6)), "byte 6");
    refused(
        &RobotDraft { links: &[link; 65], ..good },
        RobotBakeError::TooMany("links and payloads"),
        "too many links",
    );
    refused(&RobotDraft { payloads: 64, ..good }, RobotBakeError::TooMany("links and payloads"), "payloads");
    refused(&RobotDraft { margins: Margins::all(f64::NAN), ..good }, blob(RobotBlobError::Header(32)), "byte 32");
    let pair = |a, b| [([LinkIndex(a), LinkIndex(b)], Reason::User)];
    refused(&RobotDraft { allowed: &pair(0, 0), ..good }, RobotBakeError::Pair(0), "pair 0");
    refused(&RobotDraft { allowed: &pair(0, 1), ..good }, RobotBakeError::Pair(0), "pair 0");
    let orphan = DraftLink { joint: Joint { parent: Some(LinkIndex(0)), ..joint }, ..link };
    let wrong = RobotBlobError::Link(LinkIndex(0), Wrong::Parent);
    refused(&RobotDraft { links: &[orphan], ..good }, blob(wrong), "link 0");
    let endless = DraftLink { limits: Some([0.0, f64::INFINITY]), ..link };
    let wrong = RobotBlobError::Link(LinkIndex(0), Wrong::Limits);
    refused(&RobotDraft { links: &[endless], ..good }, blob(wrong), "limits");
    let empty = DraftLink { model: Some(&[]), ..link };
    let wrong = RobotBlobError::Model(0, BlobError::Magic);
    refused(&RobotDraft { links: &[empty], ..good }, blob(wrong), "model 0");
}

#[test]
fn too_little_storage_is_refused() {
    let whole = rich();
    let blob = RobotBlob::parse(&whole).unwrap();
    let RobotSizes { links, allowed, objects, scratch } = blob.sizes();
    let load = |[l, p, a, o, s]: [usize; 5]| {
        let (mut links, mut parts) = (vec![Link::<f32>::VACANT; l], vec![Part::VACANT; p]);
        let (mut allowed, mut objects) = (vec![None; a], vec![None; o]);
        let storage = Storage {
            links: &mut links,
            parts: &mut parts,
            allowed: &mut allowed,
            objects: &mut objects,
            overrides: &mut [],
        };
        blob.workcell(storage, &mut vec![0; s]).map(|cell| cell.objects())
    };
    assert_eq!(load([links, links, allowed, objects, scratch]), Ok(objects));
    let storage = |what, count| Err(RobotBlobError::Workcell(WorkcellError::Storage(what, count)));
    let own = blob.links();
    assert_eq!(load([own - 1, links, allowed, objects, scratch]), storage("links", own));
    assert_eq!(load([links, links - 1, allowed, objects, scratch]), storage("parts", links));
    assert_eq!(load([links, links, allowed - 1, objects, scratch]), storage("allowed pairs", allowed));
    assert_eq!(load([links, links, allowed, objects - 1, scratch]), storage("objects", objects));
    let short = load([links, links, allowed, objects, scratch - 1]);
    assert!(matches!(short, Err(RobotBlobError::Model(_, BlobError::Scratch(n))) if n == scratch), "{short:?}");
}
