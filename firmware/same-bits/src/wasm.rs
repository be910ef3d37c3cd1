//! WebAssembly: one function for the host to call.
#![allow(unsafe_code, reason = "an export is found by name")]

/// The hash of the scalar with this index in the list of cases.
// SAFETY: the name is exported and nothing else has it.
#[unsafe(no_mangle)]
extern "C" fn queries_hash(case: u32) -> u64 {
    (avert_same_bits::CASES[case as usize].run)().hash
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
