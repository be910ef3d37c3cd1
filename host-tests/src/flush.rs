//! Subnormal numbers read and written as zero, as some processors always do: on x86-64 and AArch64 by a switch of the thread.
//!
//! Rust promises nothing about floating point while the switch is on. What is compiled is what a flushing processor would
//! run, and the tests first look whether it flushes.

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "nothing else reaches the control register of the floating point unit")]
mod register {
    /// Flush to zero, and denormals are zero.
    pub(super) const SWITCHES: u64 = 1 << 15 | 1 << 6;

    pub(super) fn read() -> u64 {
        let mut word = 0_u32;
        // SAFETY: stores 32 bits to where it is told to.
        unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
        word.into()
    }

    pub(super) fn write(word: u64) {
        let word = word as u32;
        // SAFETY: loads 32 bits that were read before, but for the switches: no exception is unmasked.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const word, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code, reason = "nothing else reaches the control register of the floating point unit")]
mod register {
    /// Flush to zero, operands and results.
    pub(super) const SWITCHES: u64 = 1 << 24;

    pub(super) fn read() -> u64 {
        let word;
        // SAFETY: reads a register.
        unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) word, options(nomem, nostack, preserves_flags)) };
        word
    }

    pub(super) fn write(word: u64) {
        // SAFETY: writes what was read before, but for the switch: no exception is unmasked.
        unsafe { std::arch::asm!("msr fpcr, {}", in(reg) word, options(nomem, nostack, preserves_flags)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod register {
    pub(super) const SWITCHES: u64 = 1;

    pub(super) fn read() -> u64 {
        0
    }

    pub(super) fn write(_: u64) {}
}

/// Does this thread flush?
pub fn is_on() -> bool {
    register::read() & register::SWITCHES == register::SWITCHES
}

/// Does something in a thread that flushes, if there is such a thing here.
pub fn flushed<R>(act: impl FnOnce() -> R) -> R {
    /// Also after a panic.
    struct Guard(u64);
    impl Drop for Guard {
        fn drop(&mut self) {
            register::write(self.0);
        }
    }
    let guard = Guard(register::read());
    register::write(guard.0 | register::SWITCHES);
    act()
}
