//! Zip archives with any fault.

use std::io::Write;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// A member of an archive.
#[derive(Clone)]
pub struct Member {
    name: String,
    method: u16,
    flags: u16,
    crc: u32,
    len: usize,
    data: Vec<u8>,
}

impl Member {
    pub fn stored(name: &str, text: &[u8]) -> Member {
        let mut crc = Crc::new();
        crc.update(text);
        let (name, data) = (name.to_owned(), text.to_vec());
        Member { name, method: 0, flags: 0, crc: crc.sum(), len: text.len(), data }
    }

    pub fn deflated(name: &str, text: &[u8]) -> Member {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        Member { method: 8, data: encoder.finish().unwrap(), ..Member::stored(name, text) }
    }

    pub fn encrypted(self) -> Member {
        Member { flags: 1, ..self }
    }

    pub fn method(self, method: u16) -> Member {
        Member { method, ..self }
    }

    pub fn wrong_sum(self) -> Member {
        Member { crc: !self.crc, ..self }
    }

    /// The fields that the header of a member and its entry in the directory share.
    fn fields(&self) -> Vec<u8> {
        let mut fields = Vec::new();
        for short in [20, self.flags, self.method, 0, 0] {
            fields.extend(short.to_le_bytes());
        }
        for long in [self.crc, self.data.len() as u32, self.len as u32] {
            fields.extend(long.to_le_bytes());
        }
        fields.extend((self.name.len() as u16).to_le_bytes());
        fields.extend([0, 0]);
        fields
    }
}

/// The archive with these members.
pub fn archive(members: &[Member]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for member in members {
        directory.extend(b"PK\x01\x02\x14\0");
        directory.extend(member.fields());
        directory.extend([0; 10]);
        directory.extend((bytes.len() as u32).to_le_bytes());
        directory.extend(member.name.as_bytes());
        bytes.extend(b"PK\x03\x04");
        bytes.extend(member.fields());
        bytes.extend(member.name.as_bytes());
        bytes.extend(&member.data);
    }
    let (start, len) = (bytes.len() as u32, directory.len() as u32);
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([members.len() as u16; 2].map(u16::to_le_bytes).as_flattened());
    bytes.extend([len, start].map(u32::to_le_bytes).as_flattened());
    bytes.extend([0, 0]);
    bytes
}
