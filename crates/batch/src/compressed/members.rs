//! One stream of text out of compressed data, which are one member or many.

use std::io::{self, BufRead, Read};
use std::sync::Arc;

use super::{Codec, Damage, DamageKind, HEAD_BYTES, Member, Meter, MeteredReader};

/// Bytes of text that a library unpacks in one call. When a library meets a damage, it gives nothing of what it
/// unpacked in that call. All calls ask for this number, so that the text before a damage does not depend on the
/// reader's buffers.
const CALL_BYTES: usize = 32 * 1024;

/// Unpacks the members of compressed data one after the other.
///
/// Zeros behind a member are skipped, as gzip and xz do (tapes and file systems add them). Anything else that is not
/// the start of a member is an error: it may be a part of the data that is lost. An error is a [`Damage`] inside an
/// [`io::Error`], unless reading itself failed.
pub(crate) struct Members {
    codec: &'static Codec,
    state: State,
    meter: Arc<Meter>,
    /// Bytes of text so far.
    text: u64,
    /// The text of a call, if the reader's buffer had no room for it, and how much of it was read.
    call: Vec<u8>,
    read: usize,
}

enum State {
    /// At the first member.
    Start(MeteredReader),
    /// In a member.
    Inside(Box<dyn Member>),
    /// Behind a member.
    Between(MeteredReader),
    /// At the end, or behind an error.
    Over,
}

impl Members {
    /// Unpacks `reader`, and counts its bytes with `meter`.
    pub(crate) fn new(codec: &'static Codec, reader: Box<dyn Read + Send>, meter: Arc<Meter>) -> Members {
        let input = MeteredReader::new(reader, Arc::clone(&meter));
        Members { codec, state: State::Start(input), meter, text: 0, call: Vec::new(), read: 0 }
    }

    /// The error with its place.
    fn damaged(&self, error: io::Error) -> io::Error {
        match error.kind() {
            _ if self.meter.has_failed() => error,
            io::ErrorKind::UnexpectedEof => self.damage(DamageKind::Truncated),
            io::ErrorKind::OutOfMemory => self.damage(DamageKind::Window),
            _ => self.damage(DamageKind::Corrupt(error.to_string())),
        }
    }

    fn damage(&self, kind: DamageKind) -> io::Error {
        let Members { codec, meter, text, .. } = self;
        let damage = Damage { format: codec.name, offset: meter.position(), text: *text, kind };
        io::Error::new(io::ErrorKind::InvalidData, damage)
    }

    /// What comes behind a member: another one, or the end.
    fn behind(&self, mut input: MeteredReader) -> io::Result<State> {
        loop {
            let head = input.peek(HEAD_BYTES)?;
            if head.is_empty() {
                return Ok(State::Over);
            }
            let zeros = head.iter().take_while(|byte| **byte == 0).count();
            if zeros == 0 {
                let is_start = (self.codec.is_start)(head);
                return if is_start {
                    Ok(State::Start(input))
                } else {
                    Err(self.damage(DamageKind::Garbage))
                };
            }
            input.consume(zeros);
        }
    }
}

impl Read for Members {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if self.read < self.call.len() {
                let read = (&self.call[self.read..]).read(out)?;
                self.read += read;
                return Ok(read);
            }
            // After an error the stream is over.
            self.state = match std::mem::replace(&mut self.state, State::Over) {
                State::Over => return Ok(0),
                State::Start(input) => {
                    State::Inside((self.codec.member)(input).map_err(|error| self.damaged(error))?)
                }
                State::Between(input) => self.behind(input)?,
                State::Inside(mut member) => {
                    let direct = out.get_mut(..CALL_BYTES);
                    let is_direct = direct.is_some();
                    self.read = 0;
                    self.call.resize(if is_direct { 0 } else { CALL_BYTES }, 0);
                    let unpacked = member.read(direct.unwrap_or(&mut self.call));
                    self.call.truncate(*unpacked.as_ref().unwrap_or(&0));
                    match unpacked {
                        Ok(0) => State::Between(member.into_input()),
                        Ok(len) => {
                            self.text += len as u64;
                            self.state = State::Inside(member);
                            if is_direct {
                                return Ok(len);
                            }
                            continue;
                        }
                        Err(error) => return Err(self.damaged(error)),
                    }
                }
            };
        }
    }
}
