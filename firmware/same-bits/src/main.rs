//! The queries of `avert-same-bits` on an emulated machine. `cargo xtask test` builds and runs it.

#![no_std]
#![no_main]

#[cfg(not(target_arch = "wasm32"))]
mod board;
#[cfg(target_arch = "wasm32")]
mod wasm;
