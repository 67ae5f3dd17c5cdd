//! Filters as SQL over the narrow rows, values bound. The row under test is named `r`.

use super::terms::{AtBounds, Has, KindWord, Status, Term, Test};
use super::units::{self, Bounds, When};
use super::{Filter, FilterProblem};
use crate::history::codes;
use crate::record::Flags;

/// What the words of time in a filter refer to.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::history) struct Context {
    /// A moment of the day that a bare time of day means, microseconds since the epoch.
    pub(in crate::history) day_us: i64,
    /// The moment that `last 5m` counts back from, microseconds since the epoch.
    pub(in crate::history) now_us: i64,
}

/// A value for a `?`.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::history) enum Bind {
    Int(i64),
    Text(String),
}

/// An SQL expression with its values.
#[derive(Clone, Debug)]
pub(in crate::history) struct Condition {
    pub(in crate::history) sql: String,
    pub(in crate::history) binds: Vec<Bind>,
}

impl Condition {
    /// Every record.
    pub(in crate::history) fn all() -> Self {
        Self {
            sql: "1".to_owned(),
            binds: Vec::new(),
        }
    }
}

impl Filter {
    /// The filter as a condition on `records r`.
    pub(in crate::history) fn condition(
        &self,
        context: Context,
    ) -> Result<Condition, FilterProblem> {
        let mut out = Builder {
            context,
            sql: String::from("1"),
            binds: Vec::new(),
        };
        for term in &self.terms {
            out.push(" and ");
            out.term(term)?;
        }
        Ok(Condition {
            sql: out.sql,
            binds: out.binds,
        })
    }
}

/// Whether a moment (microseconds since the epoch) is within one of the bounds.
pub(in crate::history) fn moments_hold(list: &[AtBounds], at_us: i64, context: Context) -> bool {
    list.iter().map(|at| resolved(at, context)).any(|bounds| {
        bounds.low.is_none_or(|low| at_us >= low) && bounds.high.is_none_or(|high| at_us <= high)
    })
}

fn resolved(at: &AtBounds, context: Context) -> Bounds {
    let resolve = |when| match when {
        When::Ago(ago) => context.now_us.saturating_sub(ago),
        When::OfDay(of_day) => units::epoch_us(units::midnight_us(context.day_us) + of_day),
        When::Local(local) => units::epoch_us(local),
    };
    Bounds {
        low: at.low.map(resolve),
        high: at.high.map(resolve),
    }
}

/// Whether a text matches a pattern of `*` (any characters) and `?` (one), whatever its case.
pub(in crate::history) fn glob(pattern: &str, text: &str) -> bool {
    fn matches(pattern: &[char], text: &[char]) -> bool {
        match (pattern.split_first(), text.split_first()) {
            (None, None) => true,
            (Some(('*', later)), _) => {
                matches(later, text)
                    || text
                        .split_first()
                        .is_some_and(|(_, rest)| matches(pattern, rest))
            }
            (Some((wanted, later)), Some((c, rest))) => {
                (*wanted == '?' || wanted == c) && matches(later, rest)
            }
            _ => false,
        }
    }
    let chars = |text: &str| text.to_lowercase().chars().collect::<Vec<_>>();
    matches(&chars(pattern), &chars(text))
}

struct Builder {
    context: Context,
    sql: String,
    binds: Vec<Bind>,
}

impl Builder {
    fn push(&mut self, sql: &str) {
        self.sql.push_str(sql);
    }

    fn int(&mut self, value: i64) {
        self.push("?");
        self.binds.push(Bind::Int(value));
    }

    fn text(&mut self, value: impl Into<String>) {
        self.push("?");
        self.binds.push(Bind::Text(value.into()));
    }

    /// `(a or b or …)`
    fn any<T>(&mut self, list: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.push("(0");
        for item in list {
            self.push(" or ");
            write(self, item);
        }
        self.push(")");
    }

    fn term(&mut self, term: &Term) -> Result<(), FilterProblem> {
        self.push("(");
        self.test(&term.test).map_err(|message| FilterProblem {
            from: term.from,
            to: term.to,
            message,
        })?;
        self.push(if term.negated {
            ") is not true"
        } else {
            ") is true"
        });
        Ok(())
    }

    fn test(&mut self, test: &Test) -> Result<(), String> {
        match test {
            Test::Text(text) => self.contains(text),
            Test::Dir(list) => self.any(list, |out, dir| {
                out.push("r.direction = ");
                out.int(codes::direction(*dir));
            }),
            Test::Kind(list) => self.any(list, |out, kind| out.kind(*kind)),
            Test::Method(list) => self.any(list, |out, glob| {
                // `*` and `?` stand for something, `[` does not.
                let glob = glob.replace('[', "[[]");
                out.push("r.method glob ");
                out.text(glob.as_str());
                out.push(" or exists (select 1 from batch_items i where i.seq = r.seq and i.method glob ");
                out.text(glob);
                out.push(")");
            }),
            Test::Id(list) => self.any(list, |out, id| {
                out.push("r.rpc_id = ");
                out.text(id);
                out.push(" or exists (select 1 from batch_items i where i.seq = r.seq and i.rpc_id = ");
                out.text(id);
                out.push(")");
            }),
            Test::Status(list) => self.any(list, |out, status| out.status(*status)),
            Test::Size(list) => self.any(list, |out, bounds| out.bounds("r.size", bounds)),
            Test::Conn(list) => self.any(list, |out, bounds| out.bounds("r.conn", bounds)),
            Test::Dur(list) => self.any(list, |out, bounds| out.duration(bounds)),
            Test::At(list) => self.any(list, |out, at| out.bounds("r.at_us", &resolved(at, out.context))),
            Test::Has(list) => self.any(list, |out, has| out.has(*has)),
            Test::Session(_) => {
                return Err("this is about sessions, not about records".to_owned());
            }
        }
        Ok(())
    }

    fn contains(&mut self, text: &str) {
        let mut forms = forms(text);
        forms.iter_mut().for_each(|form| *form = like(form));
        self.any(&forms, |out, form| {
            out.push("r.preview like ");
            out.text(form.as_str());
            out.push(" escape '\\'");
        });
        self.push(
            " or exists (select 1 from bodies b
              where b.body between r.body and r.body + (r.body >= 1099511627776) * 1048575 and ",
        );
        self.any(&forms, |out, form| {
            out.push("cast(b.bytes as text) like ");
            out.text(form.as_str());
            out.push(" escape '\\'");
        });
        self.push(")");
    }

    fn kind(&mut self, kind: KindWord) {
        match kind {
            KindWord::Frame(kind) => {
                self.push("r.kind = ");
                self.int(codes::kind(kind));
            }
            KindWord::Event(event) => {
                self.push("r.event = ");
                self.int(event as i64);
            }
            KindWord::Lifecycle => self.push("r.event in (1, 6)"),
        }
    }

    fn status(&mut self, status: Status) {
        match status {
            Status::Ok => self.verdict("kind = 3 and X.flags & 1 = 0"),
            Status::Error => self.verdict("kind = 4"),
            Status::IsError => self.verdict("kind = 3 and X.flags & 1 = 1"),
            Status::Check => self.push("exists (select 1 from findings f where f.seq = r.seq)"),
            Status::Settled(note) => {
                self.push("r.kind = 1 and ");
                self.noted(note);
                if note == codes::NOTE_UNANSWERED {
                    self.push(" and not ");
                    self.answered("1");
                }
            }
            Status::Pending => {
                self.push("r.kind = 1 and not ");
                self.answered("1");
                self.push(" and not exists (select 1 from records n where n.about = r.seq and n.kind in (21, 22, 23))");
            }
            Status::Http(bounds) => {
                self.push("r.event = 3 and ");
                self.bounds("r.code", &bounds);
            }
            Status::Code(code) => {
                self.push("r.kind = 4 and r.code = ");
                self.int(code);
            }
        }
    }

    /// Responses that are so, and requests answered so in time. `X` stands for the response.
    fn verdict(&mut self, so: &str) {
        self.push(&format!("r.{}", so.replace('X', "r")));
        self.push(" or r.kind = 1 and ");
        self.answered(&format!("a.{}", so.replace('X', "a")));
        self.push(" and not exists (select 1 from records n where n.about = r.seq and n.kind in (21, 22))");
    }

    fn noted(&mut self, note: i64) {
        self.push("exists (select 1 from records n where n.about = r.seq and n.kind = ");
        self.int(note);
        self.push(")");
    }

    /// The request `r` has a first answer `a` that is so, alone or in a batch.
    fn answered(&mut self, so: &str) {
        let first = Flags::DUPLICATE.0;
        self.push(&format!(
            "(exists (select 1 from records a where a.reply_to = r.seq and a.flags & {first} = 0 and {so}) \
             or exists (select 1 from batch_items a where a.reply_to = r.seq and a.flags & {first} = 0 and {so}))"
        ));
    }

    fn duration(&mut self, bounds: &Bounds) {
        self.bounds("r.dur_us", bounds);
        self.push(
            " or r.kind = 1 and exists (select 1 from records a where a.reply_to = r.seq and ",
        );
        self.bounds("a.dur_us", bounds);
        self.push(")");
    }

    fn has(&mut self, has: Has) {
        match has {
            Has::Finding => self.status(Status::Check),
            Has::Note => self.push("exists (select 1 from records n where n.about = r.seq and n.kind between 20 and 29)"),
            Has::Flag(flag) => {
                self.push("r.flags & ");
                self.int(i64::from(flag.0));
                self.push(" <> 0");
            }
        }
    }

    fn bounds(&mut self, column: &str, bounds: &Bounds) {
        self.push("(");
        match bounds.low {
            Some(low) => {
                self.push(&format!("{column} >= "));
                self.int(low);
            }
            None => self.push("1"),
        }
        if let Some(high) = bounds.high {
            self.push(&format!(" and {column} <= "));
            self.int(high);
        }
        self.push(")");
    }
}

/// How a text may stand in a body, whatever the case of ASCII. SQLite folds the case of that only, so other letters are looked
/// for as typed, in lower and in upper case. Bodies hold JSON, so the text is looked for as JSON would escape it as well.
pub(in crate::history) fn forms(text: &str) -> Vec<String> {
    let mut forms = vec![text.to_owned(), text.to_lowercase(), text.to_uppercase()];
    let escaped: Vec<_> = forms
        .iter()
        .flat_map(|form| [json_escaped(form), ascii_escaped(form)])
        .collect();
    forms.extend(escaped);
    forms.sort_by_cached_key(|form| form.to_ascii_lowercase());
    forms.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
    forms
}

/// The pattern `%text%` with `\` before what LIKE would take as a sign.
fn like(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// As most programs write it in JSON.
fn json_escaped(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    json.strip_prefix("\"")
        .and_then(|json| json.strip_suffix("\""))
        .map_or_else(|| text.to_owned(), str::to_owned)
}

/// As programs write it that keep to ASCII (Python's default).
fn ascii_escaped(text: &str) -> String {
    let mut out = String::new();
    for c in json_escaped(text).chars() {
        if c.is_ascii() {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}
