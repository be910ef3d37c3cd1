//! Baked models: tables, damage, and the same body in every scalar.

use avert::{Fix32, Fix64};
use avert_host_tests::laws::blob::{self, Body, Damage, damage};
use avert_host_tests::random::Random;
use avert_host_tests::{cases, laws, report};
use rayon::prelude::*;

laws! {
    never_outside_truth_cell: blob::cell_law, 100_000, 2_000_000;
    never_below_truth_table_proves: blob::table_law, 2_000, 50_000;
}

#[test]
fn no_damage_goes_unnoticed() -> Result<(), String> {
    let each = cases(5_000, 250_000);
    let kinds = [damage::<f32> as fn(u64, u64) -> _, damage::<f64>, damage::<Fix32>, damage::<Fix64>];
    let seeded = kinds.into_par_iter().zip([1, 2, 3, 4]);
    let all = seeded.map(|(damage, seed)| damage(each, seed)).collect::<Result<Vec<_>, _>>()?;
    let sum = |count: fn(&Damage) -> u64| all.iter().map(count).sum::<u64>();
    let (noticed, refused, sound) = (sum(|d| d.noticed), sum(|d| d.refused), sum(|d| d.sound));
    report(&format!(
        "damaged models: {noticed} noticed, 0 not; with a forged checksum {refused} refused and {sound} sound models of other bodies"
    ));
    assert!(refused > 0 && sound > 0);
    Ok(())
}

#[test]
fn a_body_is_baked_to_the_same_bytes_again() {
    let mut random = Random::new(7);
    for _ in 0..100 {
        let body = Body::random(&mut random);
        assert_eq!(body.bake(), body.bake());
    }
}
