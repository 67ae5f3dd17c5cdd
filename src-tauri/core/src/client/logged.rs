//! Lists as a log tells them: for sessions that are not connected, and past ones.

use serde_json::value::RawValue;

use super::catalog::{Catalog, Listed, Tool, tool};
use super::json::Members;
use super::pages::Page;

/// A request for a list and its answer, as they stand in a log.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The request's JSON text.
    pub request: String,
    /// The text of the message that answered it.
    pub answer: String,
}

impl Listing {
    /// Whether it begins a list: its request has no cursor.
    pub fn is_first(&self) -> bool {
        let cursor = || {
            let params = Members::of(&self.request).ok()?.get("params")?;
            Members::of(params.get()).ok()?.get("cursor")
        };
        cursor().is_none()
    }
}

/// The newest list of tools in a log, as far as it was read. Missing where the server was never asked, or never answered.
pub fn logged_tools(listings: &[Listing]) -> Option<Listed<Tool>> {
    newest(Catalog::Tools, listings).map(|(list, _)| list.map(tool))
}

/// The newest list in a log, its items to the byte. Missing as well where the server has further pages that nobody asked for.
pub fn logged_whole(what: Catalog, listings: &[Listing]) -> Option<Listed<Box<RawValue>>> {
    newest(what, listings).and_then(|(list, whole)| whole.then_some(list))
}

/// The newest list: the pages that follow its last request without a cursor; and whether the last of them was read. `listings`
/// stand in the order of the log; answers that are no list are passed over.
fn newest(what: Catalog, listings: &[Listing]) -> Option<(Listed<Box<RawValue>>, bool)> {
    let mut newest: Option<(Listed<Box<RawValue>>, bool)> = None;
    for listing in listings {
        let Some(page) = page(what, &listing.answer) else {
            continue;
        };
        let (list, whole) = match &mut newest {
            Some(newest) if !listing.is_first() => newest,
            _ => newest.insert((Listed::default(), false)),
        };
        *whole = page.next.is_none();
        list.take(page);
    }
    newest
}

fn page(what: Catalog, answer: &str) -> Option<Page> {
    let result = Members::of(answer).ok()?.get("result")?;
    Page::of(result.get(), what.member()).ok()
}

#[cfg(test)]
mod tests {
    use super::{Catalog, Listing, logged_tools, logged_whole};

    fn listing(params: &str, result: &str) -> Listing {
        Listing {
            request: format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{params}}}"#
            ),
            answer: format!(r#"{{"jsonrpc":"2.0","id":1,{result}}}"#),
        }
    }

    #[test]
    fn the_newest_list_is_told_with_all_its_pages() {
        let tools = |names: &str| {
            let items: Vec<_> = names
                .split(' ')
                .map(|name| format!(r#"{{"name":"{name}","inputSchema":{{}}}}"#))
                .collect();
            format!(
                r#""result":{{"tools":[{}],"nextCursor":"n"}}"#,
                items.join(",")
            )
        };
        let first = listing("{}", &tools("old"));
        let refused = listing("{}", r#""error":{"code":-32601,"message":"no"}"#);
        let (one, two) = (
            listing("{}", &tools("a b")),
            listing(r#"{"cursor":"n"}"#, &tools("c")),
        );
        let last = listing(r#"{"cursor":"n"}"#, r#""result":{"tools":[]}"#);
        let whole = |listings: &[Listing]| logged_whole(Catalog::Tools, listings).is_some();
        assert!(!whole(&[one.clone(), two.clone()]), "there are more pages");
        assert!(whole(&[one.clone(), two.clone(), last.clone()]));
        assert!(!whole(&[one.clone(), last, one.clone()]), "the newest");
        let name = |listings: &[Listing]| {
            logged_tools(listings).map(|list| {
                let names: Vec<_> = list.items.iter().map(|tool| tool.name.clone()).collect();
                names.join(" ")
            })
        };
        for (listings, expected, why) in [
            (vec![], None, "never asked"),
            (vec![refused.clone()], None, "never answered with a list"),
            (vec![first.clone()], Some("old"), "one page"),
            (
                vec![first, one.clone(), two.clone()],
                Some("a b c"),
                "the pages of the newest",
            ),
            (
                vec![one, two, refused],
                Some("a b c"),
                "a refusal does not take the list away",
            ),
        ] {
            assert_eq!(name(&listings).as_deref(), expected, "{why}");
        }
    }
}
