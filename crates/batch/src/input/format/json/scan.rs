//! The values of a text in JSON: where they begin and end.

use std::ops::Range;

use memchr::memchr2;

/// Why a text is not a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It ends too early.
    End,
    /// The byte at this place is wrong.
    At(usize),
}

/// Calls `member` with the places of each key, without its quotes, and of its value, in the object that `line` is.
pub(super) fn members(line: &[u8], mut member: impl FnMut(Range<usize>, Range<usize>)) -> Result<(), Fault> {
    let mut scan = Scanner::new(line, 0);
    scan.expect(b'{')?;
    if scan.peek()? == b'}' {
        scan.at += 1;
        return scan.end();
    }
    loop {
        if !matches!(scan.peek()?, b'"' | b'\'') {
            return Err(Fault::At(scan.at));
        }
        let key = scan.string()?;
        scan.expect(b':')?;
        let value = scan.value()?;
        member(key.start + 1..key.end - 1, value);
        match scan.peek()? {
            b',' => scan.at += 1,
            b'}' => {
                scan.at += 1;
                return scan.end();
            }
            _ => return Err(Fault::At(scan.at)),
        }
    }
}

/// Calls `element` with the place of each value of the array that `text` begins with, as far as they are whole, and while
/// it returns true. Returns the place behind the array if all of it was read.
pub(super) fn elements(text: &[u8], mut element: impl FnMut(Range<usize>) -> bool) -> Option<usize> {
    let mut scan = Scanner::new(text, 0);
    scan.expect(b'[').ok()?;
    loop {
        match scan.peek().ok()? {
            b']' => return Some(scan.at + 1),
            b',' => scan.at += 1,
            _ if element(scan.value().ok()?) => {}
            _ => return None,
        }
    }
}

/// The bytes that end a number or a word.
const IS_END: [bool; 256] = {
    let (mut is_end, mut at) = ([false; 256], 0);
    let ends = b",}]\"[{:\x20\t\r\n\x0c";
    while at < ends.len() {
        is_end[ends[at] as usize] = true;
        at += 1;
    }
    is_end
};

pub(super) struct Scanner<'a> {
    text: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a [u8], at: usize) -> Scanner<'a> {
        Scanner { text, at }
    }

    /// The next byte that is no space.
    pub(super) fn peek(&mut self) -> Result<u8, Fault> {
        let spaces = self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.at += spaces;
        self.text.get(self.at).copied().ok_or(Fault::End)
    }

    pub(super) fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        if self.peek()? != byte {
            return Err(Fault::At(self.at));
        }
        self.at += 1;
        Ok(())
    }

    /// Nothing but spaces is left. (This, `string` and `value` are inlined: as calls, reading objects takes 3 % longer.)
    #[inline(always)]
    fn end(&mut self) -> Result<(), Fault> {
        if self.peek().is_ok() { Err(Fault::At(self.at)) } else { Ok(()) }
    }

    /// The string that begins here, with its quotes. (Python writes lists with single ones.)
    #[inline(always)]
    pub(super) fn string(&mut self) -> Result<Range<usize>, Fault> {
        let (start, quote) = (self.at, self.text[self.at]);
        self.at += 1;
        loop {
            self.at += memchr2(quote, b'\\', &self.text[self.at..]).ok_or(Fault::End)? + 1;
            if self.text[self.at - 1] == quote {
                return Ok(start..self.at);
            }
            if self.at >= self.text.len() {
                return Err(Fault::End);
            }
            self.at += 1;
        }
    }

    /// The value that begins here.
    #[inline(always)]
    pub(super) fn value(&mut self) -> Result<Range<usize>, Fault> {
        match self.peek()? {
            b'"' | b'\'' => self.string(),
            b'[' | b'{' => self.nested(),
            _ => {
                let start = self.at;
                let is_end = |&byte: &u8| IS_END[usize::from(byte)];
                let len = self.text[start..].iter().position(is_end).ok_or(Fault::End)?;
                self.at += len;
                if len == 0 { Err(Fault::At(start)) } else { Ok(start..self.at) }
            }
        }
    }

    /// The array or object that begins here.
    fn nested(&mut self) -> Result<Range<usize>, Fault> {
        // A bit for each open bracket, 1 for the bracket of an object: the last 128 brackets, and the earlier ones.
        let (start, mut objects, mut before, mut depth) = (self.at, 0u128, Vec::new(), 0);
        loop {
            match self.peek()? {
                b'"' | b'\'' => {
                    self.string()?;
                    continue;
                }
                byte @ (b'[' | b'{') => {
                    if depth > 0 && depth % u128::BITS == 0 {
                        before.push(objects);
                    }
                    (objects, depth) = (objects << 1 | u128::from(byte == b'{'), depth + 1);
                }
                byte @ (b']' | b'}') => {
                    if (objects & 1 == 1) != (byte == b'}') {
                        return Err(Fault::At(self.at));
                    }
                    (objects, depth) = (objects >> 1, depth - 1);
                    if depth > 0 && depth % u128::BITS == 0 {
                        objects = before.pop().unwrap_or_default();
                    }
                }
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(start..self.at);
            }
        }
    }
}

/// The text between the quotes of a string: itself, or written to `buffer` if it has escapes.
pub(super) fn unescaped<'b>(text: &'b [u8], buffer: &'b mut Vec<u8>) -> &'b [u8] {
    if !text.contains(&b'\\') {
        return text;
    }
    buffer.clear();
    let mut rest = text;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        if byte != b'\\' {
            buffer.push(byte);
            continue;
        }
        let Some((&escape, behind)) = rest.split_first() else { break };
        rest = behind;
        match escape {
            b'b' => buffer.push(8),
            b'f' => buffer.push(12),
            b'n' => buffer.push(b'\n'),
            b'r' => buffer.push(b'\r'),
            b't' => buffer.push(b'\t'),
            b'u' => {
                let mut unit = unit_of(rest).unwrap_or(0xfffd);
                rest = rest.get(4..).unwrap_or_default();
                // Two units, the second from dc00 on, are one character.
                if (0xd800..0xdc00).contains(&unit)
                    && let Some(low) = rest.strip_prefix(b"\\u").and_then(unit_of)
                    && (0xdc00..0xe000).contains(&low)
                {
                    unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                    rest = &rest[6..];
                }
                let character = char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER);
                buffer.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            other => buffer.push(other),
        }
    }
    buffer
}

/// The number of four hexadecimal digits.
fn unit_of(text: &[u8]) -> Option<u32> {
    let digits = std::str::from_utf8(text.get(..4)?).ok()?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Result<Vec<(&str, &str)>, Fault> {
        let mut found = Vec::new();
        members(line.as_bytes(), |key, value| found.push((&line[key], &line[value])))?;
        Ok(found)
    }

    #[test]
    fn members_are_found_and_nested_values_skipped() {
        assert_eq!(found("{}"), Ok(vec![]));
        let line = r#" { "a" : 1.5e3 ,"b":"x\"}, \\","c":[{"a":[]},"]"], "a":null} "#;
        let all = vec![("a", "1.5e3"), ("b", r#""x\"}, \\""#), ("c", r#"[{"a":[]},"]"]"#), ("a", "null")];
        assert_eq!(found(line), Ok(all));
        let deep = |depth| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        for depth in [1, 127, 128, 129, 256, 257, 300, 1000] {
            assert!(found(&deep(depth)).is_ok(), "{depth}");
            let mixed = format!("{{\"a\":{}{}}}", "[{\"b\":".repeat(depth) + "1", "}]".repeat(depth));
            assert!(found(&mixed).is_ok(), "{depth}");
            // One bracket is of the other kind, at any depth.
            for wrong in [0, depth / 2, depth - 1] {
                let mut line = deep(depth).into_bytes();
                let at = 5 + depth + wrong;
                line[at] = b'}';
                assert_eq!(found(std::str::from_utf8(&line).unwrap()), Err(Fault::At(at)), "{depth} {wrong}");
            }
        }
        for end in 1..line.trim_end().len() {
            assert_eq!(found(&line[..end]), Err(Fault::End), "{}", &line[..end]);
        }
        for (line, at) in [("x", 0), ("{a:1}", 1), (r#"{"a" 1}"#, 5), (r#"{"a":}"#, 5), (r#"{"a":1 2}"#, 7)] {
            assert_eq!(found(line), Err(Fault::At(at)), "{line}");
        }
        for (line, at) in [(r#"{"a":1}x"#, 7), (r#"{"a":[}]}"#, 6), (r#"{"a":1,}"#, 7), ("[{}]", 0)] {
            assert_eq!(found(line), Err(Fault::At(at)), "{line}");
        }
    }

    #[test]
    fn escapes_are_undone() {
        let text =
            |text: &str| String::from_utf8(unescaped(text.as_bytes(), &mut Vec::new()).to_vec()).unwrap();
        assert_eq!(text("plain"), "plain");
        assert_eq!(text(r#"\"\\\/\n\u002e\u00e9\ud83d\ude00"#), "\"\\/\n.é😀");
        assert_eq!(text(r"\ud83d\u12 \u+123 \"), "\u{fffd}\u{fffd}u+123 ");
    }
}
