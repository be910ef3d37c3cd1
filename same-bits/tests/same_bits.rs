//! The verdicts of `avert-same-bits` have the committed bits: in debug and release, with whatever instructions this machine
//! has, and in WebAssembly. Emulated machines compare with the same constants.

use avert_same_bits::{CASES, QUERIES, Tally};

/// Compares all hashes before it fails, so that all new ones are in print.
fn compare(found: impl Fn(usize) -> u64) {
    let wrong: Vec<String> = CASES
        .iter()
        .enumerate()
        .map(|(i, case)| (case, found(i)))
        .filter(|(case, found)| *found != case.hash)
        .map(|(case, found)| format!("{}: the verdicts hash to {found:#018x}, not {:#018x}", case.name, case.hash))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn on_this_machine() {
    compare(|case| (CASES[case].run)().hash);
}

/// Hashes of nothing but refusals would agree, too.
#[test]
fn every_kind_of_verdict() {
    for case in CASES {
        let tally = (case.run)();
        println!("{}: {tally:?}", case.name);
        let Tally { free, contact, budget, stack, distance, .. } = tally;
        let least = QUERIES as u32 / 50;
        assert!([free, contact, budget, stack, distance].iter().all(|count| *count >= least), "{tally:?}");
    }
}

#[cfg(feature = "wasm")]
#[test]
fn in_wasm() {
    let path = std::env::var_os("AVERT_WASM").expect("AVERT_WASM names the image of firmware/same-bits");
    let engine = wasmi::Engine::default();
    let image = std::fs::read(path).expect("an image that can be read");
    let module = wasmi::Module::new(&engine, image).expect("WebAssembly");
    compare(|case| {
        let mut store = wasmi::Store::new(&engine, ());
        let instance = wasmi::Linker::new(&engine).instantiate_and_start(&mut store, &module).expect("no imports");
        let hash = instance.get_typed_func::<u32, u64>(&store, "queries_hash").expect("the export");
        hash.call(&mut store, case as u32).expect("no trap")
    });
}
