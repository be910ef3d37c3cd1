//! Baked models: any bytes, any bytes with the right checksum, and good models with any damage.
#![no_main]

use avert_host_tests::laws::blob::{Body, seal, survives};
use avert_host_tests::random::Random;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((kind, rest)) = input.split_first() else { return };
    let bytes = match kind % 4 {
        0 => rest.to_vec(),
        1 => sealed(rest.to_vec()),
        _ => {
            let Some((seed, changes)) = rest.split_first() else { return };
            sealed(damaged(Body::random(&mut Random::new((*seed).into())).bake(), changes))
        }
    };
    if let Err(violation) = survives(&bytes) {
        panic!("{violation}");
    }
});

fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    seal(&mut bytes);
    bytes
}

/// A change is a place and what is written there.
fn damaged(mut bytes: Vec<u8>, changes: &[u8]) -> Vec<u8> {
    for [low, high, new] in changes.as_chunks().0 {
        let at = usize::from(u16::from_le_bytes([*low, *high])) % bytes.len();
        bytes[at] = *new;
    }
    bytes
}
