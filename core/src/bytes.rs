//! Flat little-endian bytes: what baked models and robots are written with and read by.

/// Where the checksum stands, in everything that is baked.
const CHECKSUM: usize = 12;

/// CRC-32 (the reflected polynomial 0xedb88320) of all bytes but those of the checksum itself.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    let covered = bytes.iter().take(CHECKSUM).chain(bytes.iter().skip(CHECKSUM + 4));
    !covered.fold(u32::MAX, |crc, byte| {
        let mixed = crc ^ u32::from(*byte);
        (0..8).fold(mixed, |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

/// The bytes from a place on; zeros if they are not there.
fn read<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).copied().unwrap_or([0; N])
}

/// One byte.
pub(crate) fn byte(bytes: &[u8], at: usize) -> u8 {
    u8::from_le_bytes(read(bytes, at))
}

/// A number of two bytes.
pub(crate) fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(read(bytes, at))
}

/// A number of four bytes.
pub(crate) fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(read(bytes, at))
}

/// An `f64`, whatever its bits.
pub(crate) fn double(bytes: &[u8], at: usize) -> f64 {
    f64::from_le_bytes(read(bytes, at))
}

/// Puts little-endian numbers one after the other. What has no room is left out: whoever writes has asked for enough.
pub(crate) struct Writer<'o> {
    pub(crate) out: &'o mut [u8],
    pub(crate) at: usize,
}

impl Writer<'_> {
    /// The lowest bytes of a number.
    pub(crate) fn put(&mut self, value: u32, bytes: usize) {
        self.bytes(value.to_le_bytes().get(..bytes).unwrap_or_default());
    }

    /// The bits of an `f64`.
    pub(crate) fn double(&mut self, value: f64) {
        self.bytes(&value.to_le_bytes());
    }

    /// Bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for (slot, byte) in self.out.iter_mut().skip(self.at).zip(bytes) {
            *slot = *byte;
        }
        self.at += bytes.len();
    }
}
