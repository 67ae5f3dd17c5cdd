//! `server.json` of the MCP registry: one server, as packages to start and as URLs. Read in its spellings of all dates
//! (`registryType`, `registry_type`), also inside an answer of the registry's API.

use serde_json::Value;

use super::Entry;
use crate::protocol::ServerConfig;

/// The entries of a `server.json`, one for each way to reach the server; none where the text is no such file.
pub(super) fn read(text: &str) -> Option<Vec<Entry>> {
    let root: Value = serde_json::from_str(text).ok()?;
    let server = root.get("server").unwrap_or(&root);
    let name = server.get("name")?.as_str()?;
    let (packages, remotes) = (array(server, "packages"), array(server, "remotes"));
    if packages.is_empty() && remotes.is_empty() {
        return None;
    }
    // `io.github.someone/weather`: what is before the slash says who published it.
    let short = name.rsplit('/').next().unwrap_or(name);
    let entry = |of: &Value, read: fn(&Value, &mut Vec<String>) -> Result<ServerConfig, String>| {
        let mut notes = vec![];
        let config = read(of, &mut notes).map_err(|why| notes.insert(0, why));
        Entry {
            name: short.to_owned(),
            config: config.ok(),
            problem: (!notes.is_empty()).then(|| notes.join("; ")),
        }
    };
    let packages = packages.iter().map(|of| entry(of, package));
    Some(
        packages
            .chain(remotes.iter().map(|of| entry(of, remote)))
            .collect(),
    )
}

/// A package, started by the runner of its registry.
fn package(of: &Value, notes: &mut Vec<String>) -> Result<ServerConfig, String> {
    let text = |key| member(of, key).and_then(Value::as_str);
    let kind = text("registryType")
        .or(text("registryName"))
        .unwrap_or_default();
    let id = text("identifier")
        .or(text("name"))
        .ok_or("its package has no `identifier`")?;
    if let Some(transport) = member(of, "transport")
        .and_then(kind_of)
        .filter(|kind| *kind != "stdio")
    {
        return Err(format!(
            "its package `{id}` listens over {transport}: start it yourself, then add its URL"
        ));
    }
    let env = variables(of, "environmentVariables", notes);
    let own = arguments(of, "runtimeArguments", notes);
    let given = arguments(of, "packageArguments", notes);
    let version = text("version").filter(|version| !version.is_empty());
    let at = |sign: &str| {
        version.map_or_else(|| id.to_owned(), |version| format!("{id}{sign}{version}"))
    };
    let (runner, before, package, after): (_, Vec<String>, _, &[&str]) = match kind {
        "npm" => ("npx", vec!["-y".to_owned()], at("@"), &[]),
        "pypi" => ("uvx", vec![], at("=="), &[]),
        "nuget" => ("dnx", vec![], at("@"), &["--"]),
        "oci" | "docker" => {
            let passed = env
                .iter()
                .flat_map(|(name, _)| ["-e".to_owned(), name.clone()]);
            let begun = ["run", "-i", "--rm"].map(str::to_owned).into_iter();
            // Newer files name the image with its tag.
            let tagged = id
                .rsplit('/')
                .next()
                .is_some_and(|last| last.contains([':', '@']));
            let image = if tagged { id.to_owned() } else { at(":") };
            ("docker", begun.chain(passed).collect(), image, &[])
        }
        other => {
            return Err(format!(
                "its package `{id}` is of the kind `{other}`, which cannot be started from here"
            ));
        }
    };
    let before = before
        .into_iter()
        .filter(|word| !own.contains(word))
        .collect::<Vec<_>>();
    let after = after
        .iter()
        .take(given.len())
        .map(|word| (*word).to_owned());
    let args = before
        .into_iter()
        .chain(own)
        .chain([package])
        .chain(after)
        .chain(given);
    Ok(ServerConfig::Stdio {
        command: text("runtimeHint").unwrap_or(runner).to_owned(),
        args: args.collect(),
        env: env.into_iter().collect(),
        cwd: None,
    })
}

/// A server that is there already.
fn remote(of: &Value, notes: &mut Vec<String>) -> Result<ServerConfig, String> {
    let url = member(of, "url")
        .and_then(Value::as_str)
        .ok_or("it has no `url`")?;
    let url = filled(url, of, notes);
    let headers = variables(of, "headers", notes);
    Ok(match kind_of(of) {
        Some("sse") => ServerConfig::Sse { url, headers },
        _ => ServerConfig::StreamableHttp { url, headers },
    })
}

fn kind_of(of: &Value) -> Option<&str> {
    member(of, "type").or(member(of, "transportType"))?.as_str()
}

/// The words of a list of arguments.
fn arguments(of: &Value, key: &str, notes: &mut Vec<String>) -> Vec<String> {
    let mut words = vec![];
    for argument in array(of, key) {
        let name = member(argument, "name").and_then(Value::as_str);
        let hint = member(argument, "valueHint").and_then(Value::as_str);
        let (value, named) = (value(argument, notes), kind_of(argument) == Some("named"));
        let required = is(argument, "isRequired");
        match (named, name, value) {
            (true, Some(name), Some(value)) => words.extend([name.to_owned(), value]),
            // A flag; one that needs a value has a hint or a format.
            (true, Some(name), None) if required || member(argument, "format").is_none() => {
                words.push(name.to_owned())
            }
            (false, _, Some(value)) => words.push(value),
            (false, ..) if required => {
                let hint = hint.or(name).unwrap_or("a value");
                words.push(format!("<{hint}>"));
                notes.push(format!("`<{hint}>` is to be filled in"));
            }
            (true | false, ..) => {}
        }
    }
    words
}

/// Variables or headers; those without a value and not needed are left out.
fn variables(of: &Value, key: &str, notes: &mut Vec<String>) -> Vec<(String, String)> {
    let mut pairs = vec![];
    for variable in array(of, key) {
        let Some(name) = member(variable, "name").and_then(Value::as_str) else {
            continue;
        };
        match value(variable, notes) {
            Some(value) => pairs.push((name.to_owned(), value)),
            None if is(variable, "isRequired") => {
                pairs.push((name.to_owned(), String::new()));
                notes.push(format!("{name} needs a value"));
            }
            None => {}
        }
    }
    pairs
}

fn value(of: &Value, notes: &mut Vec<String>) -> Option<String> {
    let given = member(of, "value").or(member(of, "default"))?;
    let text = match given {
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) => given.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    Some(filled(&text, of, notes))
}

/// `{name}` with its default in place; where it has none, the user has to fill it in.
fn filled(text: &str, of: &Value, notes: &mut Vec<String>) -> String {
    let mut text = text.to_owned();
    for (name, variable) in member(of, "variables")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let place = format!("{{{name}}}");
        if !text.contains(&place) {
            continue;
        }
        match value(variable, notes) {
            Some(value) => text = text.replace(&place, &value),
            None => notes.push(format!("`{place}` is to be filled in")),
        }
    }
    text
}

/// A member by its name in camel case, also where it is spelled in snake case.
fn member<'a>(of: &'a Value, camel: &str) -> Option<&'a Value> {
    of.get(camel).or_else(|| {
        let lower = |c: char| match c.is_ascii_uppercase() {
            true => format!("_{}", c.to_ascii_lowercase()),
            false => c.to_string(),
        };
        of.get(camel.chars().map(lower).collect::<String>())
    })
}

fn array<'a>(of: &'a Value, camel: &str) -> &'a [Value] {
    member(of, camel)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn is(of: &Value, camel: &str) -> bool {
    member(of, camel)
        .and_then(Value::as_bool)
        .unwrap_or_default()
}
