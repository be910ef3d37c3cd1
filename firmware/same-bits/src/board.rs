//! An emulated Cortex-M or RV32: prints the hashes by semihosting and ends with an exit code.
//!
//! 0: every hash is the committed one; 1: one is not; 101: a panic; 102: a fault. A machine that hangs is ended from
//! outside. Whether each of these is seen is shown by giving its name as an argument: `wrong`, `panic`, `fault`,
//! `hang`, and `silent` for an end with 0 that nothing was printed before.
#![allow(
    unsafe_code,
    reason = "the runtimes' entries and handlers are found by name, and a fault cannot be had safely"
)]

use avert_same_bits::{CASES, Case};
use semihosting::{experimental::env, println, process::exit};

/// The last line of a run whose hashes are all right: one that ends early with exit code 0 does not print it.
const AGREED: &str = "the same bits";

#[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
#[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
fn main() -> ! {
    let arguments = env::args::<256>().expect("arguments of at most 256 bytes");
    // The first is the program's name.
    match (&arguments).nth(1).map(|argument| argument.expect("an argument in UTF-8")) {
        None => compare(&CASES),
        Some("wrong") => {
            let run = || avert_same_bits::run_pairs::<f32>(1);
            compare(&[Case { name: "one pair", run, hash: !run().hash }])
        }
        Some("silent") => exit(0),
        Some("panic") => panic!("as asked"),
        Some("fault") => fault(),
        Some("hang") => loop {
            core::hint::spin_loop();
        },
        Some(other) => panic!("there is no control {other}"),
    }
}

fn compare(cases: &[Case]) -> ! {
    let mut agree = true;
    for case in cases {
        let found = (case.run)().hash;
        agree &= found == case.hash;
        println!("{}: {found:#018x}, committed {:#018x}", case.name, case.hash);
    }
    if agree {
        println!("{AGREED}");
    }
    exit(if agree { 0 } else { 1 })
}

/// Executes what no machine has an instruction for.
fn fault() -> ! {
    // SAFETY: it does not get beyond the handler below.
    #[cfg(target_arch = "arm")]
    unsafe {
        core::arch::asm!("udf #0", options(noreturn));
    }
    // SAFETY: as above.
    #[cfg(target_arch = "riscv32")]
    unsafe {
        core::arch::asm!("unimp", options(noreturn));
    }
}

#[cfg(target_arch = "arm")]
#[cortex_m_rt::exception]
unsafe fn HardFault(_: &cortex_m_rt::ExceptionFrame) -> ! {
    exit(102)
}

// SAFETY: the name is the runtime's, and the function takes what it gives.
#[cfg(target_arch = "riscv32")]
#[unsafe(export_name = "ExceptionHandler")]
extern "C" fn exception(_: &riscv_rt::TrapFrame) -> ! {
    exit(102)
}
