//! The verdict bits where there is no operating system: the image of `firmware/same-bits` on emulated machines.

use super::{Outcome, Run};
use crate::command::{cargo, describe, root, target_dir};
use crate::install;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A machine that QEMU has.
struct Machine {
    name: &'static str,
    target: &'static str,
    /// The emulator, and Debian's package with it.
    program: &'static str,
    package: &'static str,
    arguments: &'static [&'static str],
    /// Is it left out of a short run?
    long: bool,
}

/// An FPU for `f32` alone, none at all, and none with the smallest instruction set (which an M3 executes, too).
const MACHINES: [Machine; 3] = [
    Machine {
        name: "Cortex-M4F",
        target: "thumbv7em-none-eabihf",
        program: "qemu-system-arm",
        package: "qemu-system-arm",
        arguments: &["-machine", "mps2-an386"],
        long: false,
    },
    Machine {
        name: "RV32",
        target: "riscv32imac-unknown-none-elf",
        program: "qemu-system-riscv32",
        package: "qemu-system-misc",
        arguments: &["-machine", "virt", "-bios", "none"],
        long: false,
    },
    Machine {
        name: "Cortex-M0 code",
        target: "thumbv6m-none-eabi",
        program: "qemu-system-arm",
        package: "qemu-system-arm",
        arguments: &["-machine", "mps2-an385"],
        long: true,
    },
];

/// What the image prints last if all hashes are the committed ones.
const AGREED: &str = "the same bits";

/// Ten times what a machine takes.
const LIMIT: Duration = Duration::from_secs(600);

/// What the image can be asked to do wrong, how that must end, and within which time.
const CONTROLS: [(&str, End, Duration); 5] = [
    ("wrong", End::Code(Some(1)), LIMIT),
    ("silent", End::Code(Some(0)), LIMIT),
    ("panic", End::Code(Some(101)), LIMIT),
    ("fault", End::Code(Some(102)), LIMIT),
    ("hang", End::TooLong, Duration::from_secs(2)),
];

/// How an emulation ended.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// By itself, with exit code 0 and all hashes right.
    Agreed,
    /// By itself, otherwise; without a code it was ended by a signal.
    Code(Option<i32>),
    /// It was ended, since its time was over.
    TooLong,
}

/// Sees to it that the emulators are there.
pub(super) fn install(run: &mut Run) -> Outcome {
    for machine in MACHINES {
        if run.has(machine.program)
            && let Err(advice) = install::program(machine.program, machine.package)
        {
            run.lacks(machine.program, "verdict bits on emulated machines", &advice)?;
        }
    }
    Ok(())
}

/// The image says the committed hashes on every machine.
pub(super) fn same_bits(run: &mut Run) -> Outcome {
    for machine in machines(run) {
        run.execute(image(&["build", "--release", "--target", machine.target]))?;
        match machine.emulate(None, LIMIT)? {
            (End::Agreed, _) => {}
            (end, shown) => return Err(format!("{}: {end:?}; run it alone with\n    {shown}", machine.name)),
        }
    }
    Ok(())
}

/// An image that does wrong must be seen to, or the step before proves nothing.
pub(super) fn control(run: &mut Run) -> Outcome {
    for machine in machines(run) {
        for (control, expected, limit) in &CONTROLS {
            let (end, shown) = machine.emulate(Some(control), *limit)?;
            if end != *expected {
                return Err(format!("{}: {end:?}, not {expected:?}:\n    {shown}", machine.name));
            }
            println!("ends as it must: {end:?}");
        }
    }
    Ok(())
}

/// Cargo for the image; its target folder is known, since it is run from there.
pub(super) fn image(arguments: &[&str]) -> Command {
    let mut command = cargo(arguments);
    command.current_dir(root().join("firmware/same-bits")).env("CARGO_TARGET_DIR", target_dir().join("same-bits"));
    command
}

/// Where [`image`] puts what it builds.
pub(super) fn built(target: &str) -> PathBuf {
    target_dir().join("same-bits").join(target).join("release/avert-same-bits-image")
}

fn machines(run: &Run) -> Vec<Machine> {
    let chosen = |machine: &Machine| (run.long || !machine.long) && run.has(machine.program) && run.has(machine.target);
    MACHINES.into_iter().filter(chosen).collect()
}

impl Machine {
    /// Runs the image, which is built, and shows what it prints. Also gives the command, to be run by hand.
    fn emulate(&self, control: Option<&str>, limit: Duration) -> Result<(End, String), String> {
        let mut semihosting = String::from("enable=on,target=native");
        if let Some(control) = control {
            semihosting += &format!(",arg=image,arg={control}");
        }
        let mut emulator = Command::new(self.program);
        emulator
            .args(self.arguments)
            .args(["-nographic", "-monitor", "none", "-serial", "null", "-semihosting-config", &semihosting])
            .arg("-kernel")
            .arg(built(self.target))
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let shown = describe(&emulator);
        println!("--- {shown}");
        let failed = |error: std::io::Error| format!("{error}\n    {shown}");
        let start = Instant::now();
        let mut child = emulator.spawn().map_err(failed)?;
        let status = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break Some(status);
            }
            if start.elapsed() > limit {
                child.kill().and_then(|()| child.wait()).map_err(failed)?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        // A few lines: they do not fill the pipe before the end.
        let mut printed = String::new();
        child.stdout.take().map(|mut pipe| pipe.read_to_string(&mut printed)).transpose().map_err(failed)?;
        println!("{printed}{}: {:.1} s", self.name, start.elapsed().as_secs_f64());
        let end = match status {
            None => End::TooLong,
            Some(status) if status.success() && printed.lines().last() == Some(AGREED) => End::Agreed,
            Some(status) => End::Code(status.code()),
        };
        Ok((end, shown))
    }
}
