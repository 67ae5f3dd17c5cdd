//! What modern servers ask before they answer: rounds of input, by rule and by whoever answers.

use framescope_core::client::{Answer, Answers, Outcome};
use framescope_core::protocol::Direction;

use super::flows::{MODERN_OK, once};
use super::peer::{How, call, called, session, soon, words};

#[tokio::test(flavor = "multi_thread")]
async fn e09_input_is_given_round_by_round_and_nothing_leaks() {
    let how = How {
        answers: Answers::Defaults,
        ..How::default()
    };
    let (done, log) = session(&["modern-input"], how, async |client, _| {
        [words(&called(client).await), words(&called(client).await)]
    })
    .await;
    let [first, second] = done.expect("connected");
    assert!(
        first.contains(MODERN_OK) && second.contains(MODERN_OK),
        "{first} {second}\n{log}"
    );
    let calls: Vec<serde_json::Value> = log
        .requests("POST")
        .iter()
        .filter_map(|post| serde_json::from_str(post["body"].as_str()?).ok())
        .filter(|body: &serde_json::Value| body["method"] == "tools/call")
        .collect();
    let params: Vec<_> = calls
        .iter()
        .map(|call| {
            let params = &call["params"];
            (
                call["id"].to_string(),
                params["requestState"].to_string(),
                params["inputResponses"].to_string(),
            )
        })
        .collect();
    let expected = [
        ("2", "null", "null"),
        (
            "3",
            r#""opaque=1""#,
            r#"{"q":{"action":"accept","content":{"n":"x"}}}"#,
        ),
        ("4", r#""opaque=2""#, "null"),
        ("5", "null", r#"{"r":{"roots":[]}}"#),
        ("6", "null", "null"),
    ];
    let expected: Vec<_> = expected
        .map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned()))
        .into();
    assert_eq!(params, expected, "{log}");
    assert_eq!(
        calls[0]["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"]["elicitation"]["form"],
        serde_json::json!({})
    );
    let firsts: Vec<_> = log
        .records
        .iter()
        .filter_map(|logged| {
            logged
                .record
                .envelope
                .as_ref()
                .filter(|e| e.method.as_deref() == Some("tools/call"))?;
            Some(logged.record.about.is_some())
        })
        .collect();
    assert_eq!(
        firsts,
        [false, true, true, true, false],
        "each round tells its first request"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn rounds_of_input_are_bounded_and_without_an_answer_the_result_is_told() {
    let how = How {
        answers: Answers::Defaults,
        ..How::default()
    };
    let (said, log) = once(&["modern-input-endless"], how).await;
    assert!(said.contains("input_required"), "{said}");
    assert_eq!(log.sent().len(), 1 + 11, "the call and ten rounds");
    let (said, log) = once(&["modern-input"], How::default()).await;
    assert!(
        said.contains("input_required") && said.contains("opaque=1"),
        "{said}"
    );
    assert_eq!(log.sent().len(), 2, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn input_waits_for_whoever_answers_and_goes_with_the_call() {
    let how = How {
        answers: Answers::Ask,
        ..How::default()
    };
    let (done, log) = session(&["modern-input"], how, async |client, _| {
        let mut changed = client.inputs_changed();
        let call = client.call(&call()).await.expect("sent");
        let seq = call.seq();
        soon("a question", changed.changed())
            .await
            .expect("the client lives");
        let [asked] = &client.inputs()[..] else {
            panic!("one question")
        };
        assert_eq!(
            (asked.method.as_str(), asked.request),
            ("elicitation/create", Some(seq))
        );
        assert!(
            asked
                .params
                .as_ref()
                .is_some_and(|params| params.get().contains("Name?"))
        );
        assert!(client.answer(&asked.id, Answer::Result(r#"{"action":"decline"}"#.into())));
        assert!(
            !client.answer(&asked.id, Answer::Result("{}".into())),
            "answered once"
        );
        let answered = soon("the outcome", call.outcome()).await;
        assert!(
            matches!(answered, Outcome::Reply { reply: Ok(_), .. }),
            "{answered:?}"
        );
    })
    .await;
    done.expect("connected");
    let told = |body: &[u8]| String::from_utf8_lossy(body).contains(r#""roots":[]"#);
    let sent = log
        .records
        .iter()
        .filter(|logged| logged.is_frame(Direction::ClientToServer));
    let roots = sent.filter(|logged| told(&logged.body)).count();
    assert_eq!(
        roots, 1,
        "roots are told without anybody being asked: {log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_given_up_with_its_question() {
    let how = How {
        answers: Answers::Ask,
        ..How::default()
    };
    let (done, _) = session(&["modern-input"], how, async |client, _| {
        let mut changed = client.inputs_changed();
        let call = client.call(&call()).await.expect("sent");
        soon("a question", changed.changed())
            .await
            .expect("the client lives");
        assert_eq!(client.inputs().len(), 1);
        assert!(client.cancel(call.seq()).await);
        assert!(client.inputs().is_empty());
        words(&soon("the outcome", call.outcome()).await)
    })
    .await;
    assert_eq!(done.expect("connected"), "cancelled");
}
