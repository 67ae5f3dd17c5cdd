//! Requests that wait.

use framescope_core::client::{Client, PendingCall};

use crate::rows::{PendingRow, ProgressRow};

/// The requests of a client that wait now.
pub(crate) fn pending_rows(client: &Client) -> Vec<PendingRow> {
    client.pending().into_iter().map(pending_row).collect()
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
