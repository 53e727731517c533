//! The date of a report.

use std::time::SystemTime;

/// Now, in UTC: `2026-11-22T09:30:00Z` (RFC 3339).
pub fn written_at() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}
