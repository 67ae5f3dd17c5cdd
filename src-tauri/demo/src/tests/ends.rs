//! What ends a call, a connection or the server, what is offered beside tools, and lines that are no messages.

use super::*;

#[tokio::test]
async fn a_cancelled_call_is_not_answered() {
    in_every_revision(async |client, _| {
        client.ask("tools/call", json!({ "name": "slow", "arguments": { "ms": 600_000 } }), &Value::Null).await;
        let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": client.next_id } });
        client.say(&cancel.to_string()).await;
        let answer = client.call("is-error", json!({})).await;
        assert_eq!(answer["id"], client.next_id, "the next answer is to the next call");
    })
    .await;
}

#[tokio::test]
async fn exit_leaves_the_call_unanswered() {
    with_server(async |client| {
        client.meta = Some(modern_meta());
        client
            .ask(
                "tools/call",
                json!({ "name": "exit", "arguments": { "code": 9 } }),
                &Value::Null,
            )
            .await;
        assert_eq!(client.exits.recv().await, Some(9));
        let answer = client.call("is-error", json!({})).await;
        assert_eq!(
            answer["id"], client.next_id,
            "the call to exit has no answer"
        );
    })
    .await;
}

#[tokio::test]
async fn offers_can_be_read_and_completed() {
    in_every_revision(async |client, _| {
        for (uri, member, part) in [
            ("demo://guide", "text", "# Guide"),
            ("demo://icon", "blob", "iVBORw0KGgo"),
            ("demo://weather/S%C3%A3o%20Paulo", "text", r#""location":"São Paulo""#),
        ] {
            let (answer, _) = client.request("resources/read", json!({ "uri": uri }), &Value::Null).await;
            let content = &answer["result"]["contents"][0];
            assert_eq!(content["uri"], uri);
            assert!(content[member].as_str().is_some_and(|text| text.contains(part)), "{uri}: {answer}");
        }
        let params = json!({ "name": "plan-a-day", "arguments": { "city": "Oslo" } });
        let (answer, _) = client.request("prompts/get", params, &Value::Null).await;
        assert!(answer["result"]["messages"][0]["content"]["text"].as_str().is_some_and(|text| text.contains("moderate day in Oslo")));
        for (reference, name, typed, expected) in [
            (json!({ "type": "ref/prompt", "name": "plan-a-day" }), "city", "l", json!(["Lagos", "Lisbon", "London"])),
            (json!({ "type": "ref/prompt", "name": "plan-a-day" }), "pace", "", json!(["relaxed", "moderate", "packed"])),
            (json!({ "type": "ref/resource", "uri": "demo://weather/{city}" }), "city", "São", json!(["São Paulo"])),
        ] {
            let params = json!({ "ref": reference, "argument": { "name": name, "value": typed } });
            let (answer, _) = client.request("completion/complete", params, &Value::Null).await;
            assert_eq!(answer["result"]["completion"]["values"], expected, "{name} {typed}");
        }
        let params = json!({ "ref": { "type": "ref/prompt", "name": "plan-a-day" }, "argument": { "name": "none", "value": "" } });
        let (answer, _) = client.request("completion/complete", params, &Value::Null).await;
        assert_eq!(answer["error"]["code"], -32602);
    })
    .await;
}

#[tokio::test]
async fn broken_lines_are_told_and_survived() {
    in_every_revision(async |client, _| {
        for (line, code, id) in [
            ("not json", -32700, Value::Null),
            (r#"{"jsonrpc":"2.0","id":1,"method":"#, -32700, Value::Null),
            ("[]", -32600, Value::Null),
            (
                r#"{"jsonrpc":"1.0","id":41,"method":"tools/list"}"#,
                -32600,
                json!(41),
            ),
            (
                r#"{"jsonrpc":"2.0","id":"x","result":{},"error":{}}"#,
                -32600,
                json!("x"),
            ),
        ] {
            client.say("").await;
            client.say(line).await;
            let answer = client.hear_json().await;
            assert_eq!(answer["error"]["code"], code, "{line}: {answer}");
            assert_eq!(answer["id"], id, "{line}: {answer}");
        }
        assert_eq!(
            client.call("is-error", json!({})).await["result"]["isError"],
            true,
            "the server goes on"
        );
    })
    .await;
}

#[tokio::test]
async fn nothing_but_a_session_ends_the_beginning() {
    with_server(async |client| {
        client
            .say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#)
            .await;
        client.say(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#).await;
        let (answer, _) = client.request("tools/list", json!({}), &Value::Null).await;
        assert_eq!(
            answer["error"]["code"], -32602,
            "a request of neither era: {answer}"
        );
        let answer = client.call("echo", json!({})).await;
        assert_eq!(
            answer["error"]["code"], -32602,
            "nor is an exact call answered: {answer}"
        );
        client.meta = Some(modern_meta());
        let (answer, _) = client
            .request(
                "tools/list",
                json!({}),
                &json!({ "io.modelcontextprotocol/protocolVersion": "2099-01-01" }),
            )
            .await;
        assert_eq!(
            answer["error"]["code"], -32022,
            "a revision from the future: {answer}"
        );
        client
            .say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#)
            .await;
        let (answer, _) = client.request("tools/list", json!({}), &Value::Null).await;
        assert!(answer["result"]["tools"].is_array(), "{answer}");
    })
    .await;
}

#[tokio::test]
async fn a_call_in_flight_does_not_hold_the_server_when_the_input_ends() {
    let (near, far) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(far);
    let (_output, mut stdin) = tokio::io::split(near);
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "slow", "arguments": { "ms": 600_000 }, "_meta": modern_meta()
    } });
    stdin
        .write_all(format!("{call}\n").as_bytes())
        .await
        .expect("the pipe holds it");
    stdin.shutdown().await.expect("the pipe closes");
    crate::serve(input, output, |_| ())
        .await
        .expect("the end of the input is no error");
}

#[tokio::test]
async fn input_without_a_session_is_no_error() {
    crate::serve(tokio::io::empty(), tokio::io::sink(), |_| ())
        .await
        .expect("nothing was asked");
}
