//! Requests that wait for the server, and what the server waits for.

use framescope_core::client::{Client, PendingCall, PendingInput};

use crate::rows::{InputRow, PendingRow, ProgressRow};

/// The requests of a client that wait now.
pub(crate) fn pending_rows(client: &Client) -> Vec<PendingRow> {
    client.pending().into_iter().map(pending_row).collect()
}

/// What the server of a client asks now.
pub(crate) fn input_rows(client: &Client) -> Vec<InputRow> {
    client.inputs().into_iter().map(input_row).collect()
}

fn input_row(input: PendingInput) -> InputRow {
    InputRow {
        seq: input.id.seq.0,
        key: input.id.key,
        method: input.method,
        params: input.params.map(|params| params.get().to_owned()),
        request: input.request.map(|seq| seq.0),
        since_us: input.since_us,
        visiting: input.visiting,
    }
}

fn pending_row(call: PendingCall) -> PendingRow {
    PendingRow {
        seq: call.seq.0,
        id: call.id.to_string(),
        method: call.method,
        what: call.what,
        sent_us: call.sent_us,
        deadline_us: call.deadline_us,
        progress: call.progress.map(|progress| ProgressRow {
            progress: progress.progress,
            total: progress.total,
            message: progress.message,
            at_us: progress.at_us,
            count: progress.count,
        }),
    }
}
