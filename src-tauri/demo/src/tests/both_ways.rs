//! What the server asks, and what it tells unasked.

use serde_json::{Value, json};

use super::{Client, modern_meta, with_server};

fn capabilities() -> Value {
    json!({
        "elicitation": { "form": {}, "url": {} },
        "sampling": { "tools": {} },
        "roots": { "listChanged": true }
    })
}

/// Runs `script` in both eras, with a client that declares everything.
async fn in_both_eras(script: impl AsyncFn(&mut Client, bool)) {
    with_server(async |client| {
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities(), "clientInfo": { "name": "test", "version": "0" } });
        client.request("initialize", hello, &Value::Null).await;
        client.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        script(client, false).await;
    })
    .await;
    with_server(async |client| {
        let mut meta = modern_meta();
        meta["io.modelcontextprotocol/clientCapabilities"] = capabilities();
        client.meta = Some(meta);
        script(client, true).await;
    })
    .await;
}

/// The client's answer to each question.
fn answer(method: &str, params: &Value) -> Value {
    match method {
        "elicitation/create" if params["mode"] == "url" => json!({ "action": "accept" }),
        "elicitation/create" => json!({ "action": "accept", "content": { "number": 7 } }),
        "sampling/createMessage" => {
            let last = params["messages"]
                .as_array()
                .and_then(|all| all.last())
                .cloned();
            let used = params.get("tools").is_some()
                && last.is_some_and(|last| last["content"]["type"] == "text");
            let content = if used {
                json!([{ "type": "tool_use", "id": "u1", "name": "stock", "input": { "sku": "AB-1234" } }])
            } else {
                json!({ "type": "text", "text": "blue" })
            };
            json!({ "role": "assistant", "model": "test", "content": content })
        }
        "roots/list" => json!({ "roots": [{ "uri": "file:///tmp/a", "name": "a" }] }),
        other => panic!("{other} is nothing that a server may ask"),
    }
}

/// Sends a request and answers what the server asks, until it has its answer. Gives the answer, the methods of the questions
/// in each round, and the notifications.
async fn played(
    client: &mut Client,
    method: &str,
    params: Value,
) -> (Value, Vec<Vec<String>>, Vec<Value>) {
    let (mut rounds, mut told) = (vec![], vec![]);
    let mut asked = vec![];
    client.ask(method, params.clone(), &Value::Null).await;
    loop {
        let message = client.hear_json().await;
        if let (Some(id), Some(method)) = (message.get("id"), message["method"].as_str()) {
            asked.push(method.to_owned());
            let result = if method == "ping" {
                json!({})
            } else {
                answer(method, &message["params"])
            };
            client
                .say(&json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string())
                .await;
            continue;
        }
        if message.get("id").is_none() {
            told.push(message);
            continue;
        }
        if !asked.is_empty() {
            rounds.push(std::mem::take(&mut asked));
        }
        let result = &message["result"];
        if result["resultType"] != "input_required" {
            return (message, rounds, told);
        }
        let mut retry = params.clone();
        if let Some(requests) = result["inputRequests"].as_object() {
            let methods = requests
                .values()
                .filter_map(|request| request["method"].as_str());
            rounds.push(methods.map(ToOwned::to_owned).collect());
            for (key, request) in requests {
                let method = request["method"].as_str().expect("a question has a method");
                retry["inputResponses"][key] = answer(method, &request["params"]);
            }
        }
        if let Some(state) = result.get("requestState") {
            retry["requestState"] = state.clone();
        }
        client.ask(method, retry, &Value::Null).await;
    }
}

/// What each tool asks, and a part of what it says about the answers.
const ASKING: &[(&str, &str, &[&str], &str)] = &[
    (
        "elicit-form",
        "{}",
        &["elicitation/create"],
        r#""number":7"#,
    ),
    (
        "elicit-url",
        "{}",
        &["elicitation/create"],
        r#""action":"accept""#,
    ),
    ("sample", "{}", &["sampling/createMessage"], "blue"),
    ("sample-media", "{}", &["sampling/createMessage"], "blue"),
    (
        "sample-tools",
        "{}",
        &["sampling/createMessage", "sampling/createMessage"],
        "blue",
    ),
    ("list-roots", "{}", &["roots/list"], "file:///tmp/a"),
    (
        "ask-parallel",
        "{}",
        &["elicitation/create", "roots/list", "sampling/createMessage"],
        r#""number":{"action""#,
    ),
    (
        "ask-in-rounds",
        r#"{"rounds":2}"#,
        &["elicitation/create", "elicitation/create"],
        "[{",
    ),
    ("state-only", r#"{"rounds":2}"#, &[], "after 2 rounds"),
];

#[tokio::test]
async fn tools_ask_and_say_what_was_answered() {
    in_both_eras(async |client, modern| {
        for &(tool, arguments, asked, text) in ASKING {
            let arguments: Value = serde_json::from_str(arguments).expect("the table is JSON");
            let params = json!({ "name": tool, "arguments": arguments });
            let (answer, rounds, _) = played(client, "tools/call", params).await;
            let mut methods = rounds.concat();
            methods.sort();
            assert_eq!(methods, asked, "{tool}: {answer}");
            let said = answer["result"]["content"][0]["text"]
                .as_str()
                .unwrap_or_default();
            assert!(said.contains(text), "{tool}: {answer}");
            let together = if tool == "ask-parallel" || !modern {
                1
            } else {
                asked.len()
            };
            assert_eq!(
                rounds.len(),
                if asked.is_empty() { 0 } else { together },
                "{tool}: {rounds:?}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn resources_and_prompts_ask_too() {
    in_both_eras(async |client, _| {
        for (method, params) in [
            ("resources/read", json!({ "uri": "demo://guarded" })),
            ("prompts/get", json!({ "name": "guarded" })),
        ] {
            let (answer, rounds, _) = played(client, method, params).await;
            assert_eq!(rounds, [["elicitation/create"]], "{answer}");
            assert!(answer["result"].to_string().contains("number"), "{answer}");
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_is_asked_that_was_not_declared() {
    with_server(async |client| {
        client.meta = Some(modern_meta());
        for (tool, required) in [
            ("elicit-url", json!({ "elicitation": { "url": {} } })),
            ("sample-tools", json!({ "sampling": { "tools": {} } })),
            ("list-roots", json!({ "roots": {} })),
        ] {
            let answer = client.call(tool, json!({})).await;
            assert_eq!(answer["error"]["code"], -32021, "{answer}");
            assert_eq!(
                answer["error"]["data"]["requiredCapabilities"], required,
                "{tool}"
            );
        }
        let params = json!({ "name": "ask-in-rounds", "requestState": "made up" });
        let (answer, _) = client.request("tools/call", params, &Value::Null).await;
        assert_eq!(
            answer["error"]["code"], -32602,
            "a state that was never given: {answer}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_form_keeps_each_shape_of_field_in_both_eras() {
    let mut forms = vec![];
    with_server(async |client| {
        let mut meta = modern_meta();
        meta["io.modelcontextprotocol/clientCapabilities"] = capabilities();
        client.meta = Some(meta);
        let answer = client.call("elicit-form", json!({})).await;
        forms.push(answer["result"]["inputRequests"]["form"]["params"].clone());
    })
    .await;
    let (_, _, written) = crate::ask::form(true);
    assert_eq!(forms, [written], "the types of rmcp lose nothing of it");
}

#[tokio::test]
async fn a_page_that_was_visited_is_told_in_the_legacy_era() {
    in_both_eras(async |client, modern| {
        let call = json!({ "name": "elicit-url", "arguments": {} });
        let (_, _, told) = played(client, "tools/call", call).await;
        let methods: Vec<_> = told.iter().map(|told| &told["method"]).collect();
        let complete = json!("notifications/elicitation/complete");
        assert_eq!(methods, if modern { vec![] } else { vec![&complete] });

        let call = json!({ "name": "url-required", "arguments": {} });
        let (answer, rounds, _) = played(client, "tools/call", call.clone()).await;
        if modern {
            assert_eq!(rounds, [["elicitation/create"]]);
            return;
        }
        assert_eq!(answer["error"]["code"], -32042, "{answer}");
        assert!(answer["error"]["data"]["elicitations"][0]["elicitationId"].is_string());
        assert_eq!(client.hear_json().await["method"], complete);
        let (answer, ..) = played(client, "tools/call", call).await;
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    })
    .await;
}

#[tokio::test]
async fn legacy_questions_can_be_withdrawn_and_clients_pinged() {
    in_both_eras(async |client, modern| {
        client
            .ask(
                "tools/call",
                json!({ "name": "ask-and-withdraw", "arguments": { "ms": 1 } }),
                &Value::Null,
            )
            .await;
        let mut methods = vec![];
        loop {
            let message = client.hear_json().await;
            match message["method"].as_str() {
                Some(method) => methods.push(method.to_owned()),
                None => break,
            }
        }
        let expected: &[&str] = if modern {
            &[]
        } else {
            &["elicitation/create", "notifications/cancelled"]
        };
        assert_eq!(methods, expected);
        let call = json!({ "name": "ping-client", "arguments": {} });
        let (answer, rounds, _) = played(client, "tools/call", call).await;
        assert_eq!(
            rounds.concat(),
            if modern { vec![] } else { vec!["ping"] },
            "{answer}"
        );
    })
    .await;
}

#[tokio::test]
async fn legacy_subscriptions_and_lists_tell_of_changes() {
    in_both_eras(async |client, modern| {
        if modern {
            return;
        }
        let subscribed = json!({ "uri": "demo://counter" });
        let touched = async |client: &mut Client| {
            let call = json!({ "name": "touch-resource", "arguments": { "times": 2 } });
            let (_, _, told) = played(client, "tools/call", call).await;
            told.iter()
                .filter(|told| {
                    told["method"] == "notifications/resources/updated"
                        && told["params"] == subscribed
                })
                .count()
        };
        assert_eq!(touched(client).await, 0, "nobody has subscribed");
        client
            .request("resources/subscribe", subscribed.clone(), &Value::Null)
            .await;
        assert_eq!(touched(client).await, 2);
        client
            .request("resources/unsubscribe", subscribed.clone(), &Value::Null)
            .await;
        assert_eq!(touched(client).await, 0);

        for list in ["tools", "prompts", "resources"] {
            let call = json!({ "name": "change-list", "arguments": { "list": list } });
            let (_, _, told) = played(client, "tools/call", call).await;
            assert_eq!(
                told[0]["method"],
                format!("notifications/{list}/list_changed")
            );
        }
        let (answer, _) = client.request("tools/list", json!({}), &Value::Null).await;
        assert!(
            answer["result"].to_string().contains(r#""name":"extra""#),
            "three toggles: it is there"
        );
        assert_eq!(
            client.call("extra", json!({})).await["result"]["isError"],
            false
        );
    })
    .await;
}

#[tokio::test]
async fn a_modern_subscription_is_acknowledged_served_and_ended() {
    in_both_eras(async |client, modern| {
        if !modern {
            return;
        }
        let filter = json!({ "toolsListChanged": true, "resourceSubscriptions": ["demo://counter", "other://x"] });
        client.ask("subscriptions/listen", json!({ "notifications": filter }), &Value::Null).await;
        let listen = client.next_id;
        let acknowledged = client.hear_json().await;
        assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
        assert_eq!(
            acknowledged["params"]["notifications"],
            json!({ "toolsListChanged": true, "resourceSubscriptions": ["demo://counter"] }),
            "only what this server has"
        );
        for (tool, arguments, expected) in [
            ("touch-resource", json!({}), Some("notifications/resources/updated")),
            ("change-list", json!({ "list": "tools" }), Some("notifications/tools/list_changed")),
            ("change-list", json!({ "list": "prompts" }), None),
        ] {
            let call = json!({ "name": tool, "arguments": arguments });
            let (_, _, told) = played(client, "tools/call", call).await;
            let methods: Vec<_> = told.iter().filter_map(|told| told["method"].as_str()).collect();
            assert_eq!(methods, Vec::from_iter(expected), "{tool}");
            for told in told {
                assert_eq!(told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], listen, "{told}");
            }
        }
        client.ask("tools/call", json!({ "name": "end-subscriptions" }), &Value::Null).await;
        let mut ends = [client.hear_json().await, client.hear_json().await];
        ends.sort_by_key(|end| end["id"].as_u64());
        assert_eq!(ends[0]["id"], listen, "the subscription has its result");
        assert_eq!(ends[0]["result"]["resultType"], "complete");
        assert_eq!(ends[1]["result"]["content"][0]["text"], "1 subscriptions ended");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listener_that_acts_once_it_is_accepted_is_known() {
    in_both_eras(async |client, modern| {
        for round in (0..200).filter(|_| modern) {
            let filter = json!({ "notifications": { "toolsListChanged": true } });
            client
                .ask("subscriptions/listen", filter, &Value::Null)
                .await;
            client.hear_json().await;
            client
                .ask(
                    "tools/call",
                    json!({ "name": "end-subscriptions" }),
                    &Value::Null,
                )
                .await;
            let mut ends = [client.hear_json().await, client.hear_json().await];
            ends.sort_by_key(|end| end["id"].as_u64());
            let said = &ends[1]["result"]["content"][0]["text"];
            assert_eq!(said, "1 subscriptions ended", "round {round}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_skill_is_listed_and_read() {
    in_both_eras(async |client, _| {
        let (answer, _) = client.request("skills/list", json!({}), &Value::Null).await;
        let skill = &answer["result"]["skills"][0];
        let uri = skill["uri"]
            .as_str()
            .expect("the skill has a URI")
            .to_owned();
        let (answer, _) = client
            .request("skills/get", json!({ "uri": uri }), &Value::Null)
            .await;
        assert_eq!(
            answer["result"]["skill"]["frontmatter"]["name"],
            "inspect-a-server"
        );
        let (answer, _) = client
            .request("resources/read", json!({ "uri": uri }), &Value::Null)
            .await;
        assert!(
            answer["result"]["contents"][0]["text"].is_string(),
            "{answer}"
        );
    })
    .await;
}

#[tokio::test]
async fn all_resources_are_on_the_pages_and_can_be_read() {
    in_both_eras(async |client, _| {
        let (mut uris, mut pages, mut cursor) = (vec![], 0, None);
        loop {
            let params =
                cursor.map_or_else(|| json!({}), |cursor: Value| json!({ "cursor": cursor }));
            let (answer, _) = client.request("resources/list", params, &Value::Null).await;
            let result = &answer["result"];
            uris.extend(
                result["resources"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(|item| item["uri"].as_str().map(ToOwned::to_owned)),
            );
            pages += 1;
            cursor = result.get("nextCursor").cloned();
            if cursor.is_none() {
                break;
            }
        }
        assert!(pages >= 3, "{pages} pages");
        for uri in uris.iter().filter(|uri| *uri != "demo://guarded") {
            let (answer, _) = client
                .request("resources/read", json!({ "uri": uri }), &Value::Null)
                .await;
            assert!(answer["result"]["contents"][0].is_object(), "{uri}");
        }
        let (answer, _) = client
            .request(
                "prompts/get",
                json!({ "name": "all-contents" }),
                &Value::Null,
            )
            .await;
        let messages = answer["result"]["messages"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let kinds: Vec<_> = messages
            .iter()
            .filter_map(|message| message["content"]["type"].as_str())
            .collect();
        assert_eq!(
            kinds,
            [
                "text",
                "image",
                "audio",
                "resource_link",
                "resource",
                "resource",
                "text"
            ]
        );
    })
    .await;
}

#[tokio::test]
async fn a_chosen_value_narrows_the_completion_of_another() {
    in_both_eras(async |client, _| {
        for (context, expected) in [
            (
                json!({}),
                json!(["eu-anvil", "eu-bolt", "us-anvil", "us-rope", "asia-lamp"]),
            ),
            (
                json!({ "arguments": { "region": "us" } }),
                json!(["us-anvil", "us-rope"]),
            ),
        ] {
            let params = json!({
                "ref": { "type": "ref/resource", "uri": "demo://orders/{region}/{sku}" },
                "argument": { "name": "sku", "value": "" },
                "context": context
            });
            let (answer, _) = client
                .request("completion/complete", params, &Value::Null)
                .await;
            assert_eq!(answer["result"]["completion"]["values"], expected);
        }
    })
    .await;
}
