//! Names of columns, which may have bytes that are not UTF-8.
//!
//! Such a byte is held as a character of a private plane, as PEP 383 holds it as a surrogate in Python. So a table is
//! written with the bytes that it was read with, and a format that has no place for them can refuse them.

/// The character of byte 0.
const FIRST: u32 = 0x10_ff00;

/// The name that these bytes are.
pub(crate) fn name_of(bytes: &[u8]) -> String {
    let mut name = String::new();
    let hold = |bytes: &[u8], name: &mut String| {
        name.extend(bytes.iter().filter_map(|&byte| char::from_u32(FIRST + u32::from(byte))));
    };
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match is_byte(character) {
                // A character of this plane that was read is held as its bytes.
                true => hold(character.encode_utf8(&mut [0; 4]).as_bytes(), &mut name),
                false => name.push(character),
            }
        }
        hold(chunk.invalid(), &mut name);
    }
    name
}

/// The bytes that `name` was read from.
pub(crate) fn bytes_of_name(name: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(name.len());
    for character in name.chars() {
        match is_byte(character) {
            true => bytes.push(character as u8),
            false => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// Whether all of `name` is UTF-8.
pub(crate) fn is_unicode(name: &str) -> bool {
    !name.chars().any(is_byte)
}

fn is_byte(character: char) -> bool {
    character as u32 >= FIRST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_all_bytes() {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in
            [b"".as_slice(), b"name", "caf\u{e9}".as_bytes(), b"caf\xe9", "\u{10ffe9}".as_bytes(), &all]
        {
            assert_eq!(bytes_of_name(&name_of(bytes)), bytes);
        }
        assert!(is_unicode(&name_of("caf\u{e9}".as_bytes())) && !is_unicode(&name_of(b"caf\xe9")));
    }
}
