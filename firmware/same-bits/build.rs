//! Says where the memory of the emulated machines is, and what the linker is to make of the image.

use std::path::PathBuf;

/// The MPS2 boards with a Cortex-M3 or M4.
const MPS2: &str = "
MEMORY
{
  FLASH : ORIGIN = 0x00000000, LENGTH = 4M
  RAM : ORIGIN = 0x20000000, LENGTH = 4M
}
";

/// QEMU's own RISC-V machine, with RAM alone.
const VIRT: &str = "
MEMORY
{
  RAM : ORIGIN = 0x80000000, LENGTH = 8M
}
REGION_ALIAS(\"REGION_TEXT\", RAM);
REGION_ALIAS(\"REGION_RODATA\", RAM);
REGION_ALIAS(\"REGION_DATA\", RAM);
REGION_ALIAS(\"REGION_BSS\", RAM);
REGION_ALIAS(\"REGION_HEAP\", RAM);
REGION_ALIAS(\"REGION_STACK\", RAM);
";

fn main() {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let (memory, arguments): (_, &[&str]) = match variable("CARGO_CFG_TARGET_ARCH").as_str() {
        "arm" => (MPS2, &["-Tlink.x", "--nmagic"]),
        "riscv32" => (VIRT, &["-Tmemory.x", "-Tlink.x"]),
        "wasm32" => ("", &["--no-entry", "--export=queries_hash"]),
        other => panic!("there is no image for {other}"),
    };
    let folder = PathBuf::from(variable("OUT_DIR"));
    std::fs::write(folder.join("memory.x"), memory).expect("a folder that can be written to");
    println!("cargo:rustc-link-search={}", folder.display());
    arguments.iter().for_each(|argument| println!("cargo:rustc-link-arg-bins={argument}"));
    println!("cargo:rerun-if-changed=build.rs");
}
