//! What a server that was restarted is asked about: what changed in its lists, and the last call once more.

use std::collections::{BTreeMap, HashMap};

use serde_json::value::RawValue;

use super::alone::difference;
use super::json::{Members, quoted};
use super::{Catalog, Draft};

/// What differs between two lists of the same kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListChanges {
    /// Names of the items that came, in the order of the new list.
    pub added: Vec<String>,
    /// Names of the items that went, in the order of the old list.
    pub removed: Vec<String>,
    /// Names of the items that are others now, with the members in which they differ: `description`, `inputSchema`.
    pub changed: Vec<(String, Vec<String>)>,
}

impl ListChanges {
    /// Compares two lists. The order of items and of members is no difference; items of one name are told apart by theirs.
    pub fn between(what: Catalog, before: &[Box<RawValue>], now: &[Box<RawValue>]) -> Self {
        let (old, new) = (Named::of(what, before), Named::of(what, now));
        let mut changes = Self::default();
        for (name, item) in &new.items {
            match old.get(name) {
                None => changes.added.push(name.0.clone()),
                Some(before) => {
                    let parts = parts(before, item);
                    if !parts.is_empty() {
                        changes.changed.push((name.0.clone(), parts));
                    }
                }
            }
        }
        let gone = old.items.iter().filter(|(name, _)| new.get(name).is_none());
        changes.removed = gone.map(|((name, _), _)| name.clone()).collect();
        changes
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// A name, and its place among the items of that name.
type Name = (String, usize);

/// The items of a list by their names.
struct Named<'a> {
    items: Vec<(Name, &'a RawValue)>,
    places: HashMap<Name, usize>,
}

impl<'a> Named<'a> {
    fn of(what: Catalog, list: &'a [Box<RawValue>]) -> Self {
        let key = match what {
            Catalog::Tools | Catalog::Prompts => "name",
            Catalog::Resources => "uri",
            Catalog::Templates => "uriTemplate",
        };
        let mut counts = BTreeMap::<String, usize>::new();
        let mut items = vec![];
        for item in list {
            let name = Members::of(item.get())
                .ok()
                .and_then(|members| members.string(key));
            let name = name.unwrap_or_else(|| "(no name)".to_owned());
            let count = counts.entry(name.clone()).or_default();
            items.push(((name, *count), &**item));
            *count += 1;
        }
        let places = items.iter().enumerate();
        let places = places.map(|(place, (name, _))| (name.clone(), place));
        Self {
            places: places.collect(),
            items,
        }
    }

    fn get(&self, name: &Name) -> Option<&'a RawValue> {
        self.places.get(name).map(|place| self.items[*place].1)
    }
}

/// The members in which two items differ; an item that is no object differs as a whole.
fn parts(one: &RawValue, other: &RawValue) -> Vec<String> {
    let (Ok(old), Ok(new)) = (Members::of(one.get()), Members::of(other.get())) else {
        let same = one.get() == other.get();
        return if same {
            vec![]
        } else {
            vec!["all of it".to_owned()]
        };
    };
    let mut keys: Vec<&str> = vec![];
    for (key, _) in new.iter().chain(old.iter()) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let differs = |key: &&str| match (old.get(key), new.get(key)) {
        (Some(old), Some(new)) => difference(old.get(), new.get(), String::new()).is_some(),
        (None, None) => false,
        (Some(_), None) | (None, Some(_)) => true,
    };
    keys.into_iter()
        .filter(differs)
        .map(str::to_owned)
        .collect()
}

impl Draft {
    /// The draft that a request in a log was made from: without what this app adds to each request. Values stay to the byte.
    /// None where the text is no request.
    pub fn of_sent(message: &str) -> Option<Self> {
        let members = Members::of(message).ok()?;
        let method = members.string("method")?;
        let Some(params) = members.get("params") else {
            return Some(Self::new(method, None));
        };
        let Ok(params) = Members::of(params.get()) else {
            return Some(Self::new(method, Some(params.get().to_owned())));
        };
        let mut kept = vec![];
        for (key, value) in params.iter() {
            match Members::of(value.get()) {
                Ok(meta) if key == "_meta" => {
                    let typed = meta.iter().filter(|(key, _)| !is_added(key));
                    let typed: Vec<_> = typed.map(member).collect();
                    if !typed.is_empty() {
                        kept.push(format!(r#""_meta":{{{}}}"#, typed.join(",")));
                    }
                }
                Ok(_) | Err(_) => kept.push(member((key, value))),
            }
        }
        let params = format!("{{{}}}", kept.join(","));
        Some(Self::new(method, Some(params)))
    }
}

fn member((key, value): (&str, &RawValue)) -> String {
    format!("{}:{}", quoted(key), value.get())
}

fn is_added(key: &str) -> bool {
    key == "progressToken" || key.starts_with("io.modelcontextprotocol/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(items: &[&str]) -> Vec<Box<RawValue>> {
        let item = |text: &&str| RawValue::from_string((*text).to_owned()).unwrap();
        items.iter().map(item).collect()
    }

    #[test]
    fn what_came_went_and_changed_is_told_by_name_and_part() {
        let echo = r#"{"name":"echo","description":"a","inputSchema":{"type":"object","x":1}}"#;
        let moved = r#"{"inputSchema":{ "x":1,"type":"object"},"description":"a","name":"echo"}"#;
        let other = r#"{"name":"echo","title":"E","inputSchema":{"type":"object","x":2}}"#;
        let add = r#"{"name":"add"}"#;
        let changes = |before: &[&str], now: &[&str]| {
            ListChanges::between(Catalog::Tools, &list(before), &list(now))
        };
        let told = |added: &[&str], removed: &[&str], changed: &[(&str, &[&str])]| {
            let texts = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
            ListChanges {
                added: texts(added),
                removed: texts(removed),
                changed: changed
                    .iter()
                    .map(|(name, parts)| ((*name).to_owned(), texts(parts)))
                    .collect(),
            }
        };
        for (before, now, expected) in [
            (vec![echo, add], vec![add, moved], told(&[], &[], &[])),
            (vec![echo], vec![echo, add], told(&["add"], &[], &[])),
            (vec![add, echo], vec![echo], told(&[], &["add"], &[])),
            (
                vec![echo],
                vec![other],
                told(
                    &[],
                    &[],
                    &[("echo", &["title", "inputSchema", "description"])],
                ),
            ),
            (vec![add], vec![add, add], told(&["add"], &[], &[])),
            (
                vec!["7"],
                vec!["8"],
                told(&[], &[], &[("(no name)", &["all of it"])]),
            ),
        ] {
            assert_eq!(changes(&before, &now), expected, "{before:?} and {now:?}");
        }
        assert!(changes(&[echo], &[moved]).is_empty());
    }

    #[test]
    fn a_sent_request_is_made_again_from_what_was_typed() {
        for (params, expected) in [
            (
                r#"{"name":"echo","arguments":{ "n" : 1.0 },"_meta":{"progressToken":3,"io.modelcontextprotocol/clientInfo":{}}}"#,
                r#"{"name":"echo","arguments":{ "n" : 1.0 }}"#,
            ),
            (
                r#"{"_meta":{"progressToken":3,"com.x/k":[ 1]},"uri":"a\/b"}"#,
                r#"{"_meta":{"com.x/k":[ 1]},"uri":"a\/b"}"#,
            ),
            (r#"[1]"#, r#"[1]"#),
        ] {
            let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{params}}}"#);
            let draft = Draft::of_sent(&message).unwrap();
            assert_eq!(
                (draft.method.as_str(), draft.params.as_deref()),
                ("m", Some(expected))
            );
        }
        let bare = Draft::of_sent(r#"{"id":1,"method":"ping"}"#).unwrap();
        assert_eq!(bare.params, None);
        assert!(Draft::of_sent("no JSON").is_none());
    }
}
