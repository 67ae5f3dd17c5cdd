//! Numbers, sizes, durations and times as people write them. Every value has a width: `size:1.3k` means 1 300 to 1 399
//! bytes, `at:14:02` a whole minute.

use chrono::{Local, NaiveDate, NaiveTime, TimeZone};

use super::lex::{Item, Op};

/// A value and how far it reaches: `[value, value + width)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Measure {
    pub(super) value: i64,
    pub(super) width: i64,
}

/// Both ends included; a missing end is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::history) struct Bounds {
    pub(in crate::history) low: Option<i64>,
    pub(in crate::history) high: Option<i64>,
}

/// The bounds that an item states, its words read by `read`.
pub(super) fn bounds(item: &Item, read: impl Fn(&str) -> Option<Measure>) -> Option<Bounds> {
    let first = read(&item.word.text)?;
    let (low, high) = match (item.op, &item.upto) {
        (None, Some(upto)) => (Some(first.value), Some(read(&upto.text)?.value)),
        (None, None) => (Some(first.value), Some(first.value + first.width - 1)),
        (Some(Op::Greater), _) => (Some(first.value + 1), None),
        (Some(Op::AtLeast), _) => (Some(first.value), None),
        (Some(Op::Less), _) => (None, Some(first.value - 1)),
        (Some(Op::AtMost), _) => (None, Some(first.value)),
    };
    Some(Bounds { low, high })
}

/// A number without a unit.
pub(super) fn count(text: &str) -> Option<Measure> {
    let value = text.parse().ok()?;
    Some(Measure { value, width: 1 })
}

/// Bytes: `512`, `1.3k`, `2M`, with or without `B`; decimal, as sizes are shown.
pub(super) fn size(text: &str) -> Option<Measure> {
    let text = text.strip_suffix(['b', 'B']).unwrap_or(text);
    let (number, factor) = match text.strip_suffix(['k', 'K']) {
        Some(number) => (number, 1_000),
        None => match text.strip_suffix('M') {
            Some(number) => (number, 1_000_000),
            None => (text, 1),
        },
    };
    scaled(number, factor)
}

/// Microseconds: `250us`, `17.2ms`, `1.5s`, `4m`.
pub(super) fn duration(text: &str) -> Option<Measure> {
    const UNITS: [(&str, i64); 6] = [
        ("us", 1),
        ("µs", 1),
        ("ms", 1_000),
        ("s", 1_000_000),
        ("m", 60_000_000),
        ("h", 3_600_000_000),
    ];
    UNITS
        .into_iter()
        .find_map(|(unit, factor)| scaled(text.strip_suffix(unit)?, factor))
}

/// `number × factor`, wide as the last digit that was written. Digits below one unit of the result are refused.
fn scaled(number: &str, factor: i64) -> Option<Measure> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(part) || number.ends_with('.') {
        return None;
    }
    let power = 10_i64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let width = factor / power;
    let value = format!("{whole}{part}").parse::<i64>().ok()?;
    let value = value.checked_mul(factor)?;
    (value % power == 0).then_some(Measure {
        value: value / power,
        width: width.max(1),
    })
}

/// A moment of the wall clock where this program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::history) enum When {
    /// Microseconds before the newest record.
    Ago(i64),
    /// Microseconds after midnight of the day on which the session began.
    OfDay(i64),
    /// Microseconds of local time, as if it were UTC.
    Local(i64),
}

impl When {
    pub(super) fn later(self, us: i64) -> Self {
        match self {
            Self::Ago(ago) => Self::Ago(ago - us),
            Self::OfDay(of_day) => Self::OfDay(of_day + us),
            Self::Local(local) => Self::Local(local + us),
        }
    }
}

/// A moment and its width.
pub(super) fn when(text: &str) -> Option<(When, i64)> {
    if let Some(ago) = text.strip_prefix("last") {
        return Some((When::Ago(duration(ago.trim_start())?.value), 1));
    }
    let (date, time) = match text.split_once(['T', ' ']) {
        Some((date, time)) => (Some(date), Some(time)),
        None if text.contains(':') => (None, Some(text)),
        None => (Some(text), None),
    };
    let (of_day, width) = match time {
        Some(time) => time_of_day(time)?,
        None => (0, 86_400_000_000),
    };
    let Some(date) = date else {
        return Some((When::OfDay(of_day), width));
    };
    let date = NaiveDate::parse_from_str(date, "%Y-%m-%d").ok()?;
    let midnight = date.and_time(NaiveTime::MIN).and_utc().timestamp_micros();
    Some((When::Local(midnight + of_day), width))
}

/// `14:02`, `14:02:09`, `14:02:09.123`: microseconds after midnight, and the width of what was written.
fn time_of_day(text: &str) -> Option<(i64, i64)> {
    let mut parts = text.split(':');
    let hour: i64 = parts.next()?.parse().ok()?;
    let minute: i64 = parts.next()?.parse().ok()?;
    let second = parts.next().map(|s| scaled(s, 1_000_000));
    let second = match second {
        Some(second) => second?,
        None => Measure {
            value: 0,
            width: 60_000_000,
        },
    };
    let valid = (0..24).contains(&hour) && (0..60).contains(&minute) && second.value < 61_000_000;
    (valid && parts.next().is_none()).then_some((
        (hour * 60 + minute) * 60_000_000 + second.value,
        second.width,
    ))
}

/// Local time as if it were UTC → microseconds since the epoch.
pub(super) fn epoch_us(local_us: i64) -> i64 {
    let Some(naive) = chrono::DateTime::from_timestamp_micros(local_us) else {
        return local_us;
    };
    let local = Local.from_local_datetime(&naive.naive_utc()).earliest();
    local.map_or(local_us, |local| local.timestamp_micros())
}

/// Midnight of the local day of a moment, as if it were UTC.
pub(super) fn midnight_us(at_us: i64) -> i64 {
    let Some(local) = Local.timestamp_micros(at_us).single() else {
        return at_us;
    };
    let midnight = local.date_naive().and_time(NaiveTime::MIN);
    midnight.and_utc().timestamp_micros()
}
