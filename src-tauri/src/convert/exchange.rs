//! An HTTP exchange, put together from its records.

use framescope_core::history::{HistoryError, SessionReader};
use framescope_core::record::{HttpEvent, HttpPhase, Seq};

use crate::rows::{ExchangeRow, HttpRow};

/// The exchange that `via` names; none where no HTTP was involved.
pub(crate) async fn exchange_row(
    reader: &SessionReader,
    via: Seq,
) -> Result<Option<ExchangeRow>, HistoryError> {
    let mut exchange = ExchangeRow {
        frame: Some(via.0),
        request: None,
        response: None,
        end: None,
    };
    for row in reader.exchange(via).await? {
        if row.seq == via {
            exchange.frame = None;
        }
        let Ok(http) = serde_json::from_slice::<HttpEvent>(&reader.body(row.seq).await?) else {
            continue;
        };
        let part = match http.phase {
            HttpPhase::Request => &mut exchange.request,
            HttpPhase::Response => &mut exchange.response,
            HttpPhase::End => &mut exchange.end,
            HttpPhase::Comment => continue,
        };
        *part = Some(HttpRow {
            seq: row.seq.0,
            at_us: row.at_us,
            method: http.method,
            url: http.url,
            status: http.status,
            headers: http.headers,
            connect_us: http.connect_us,
            text: http.text,
        });
    }
    let any = exchange.request.is_some() || exchange.response.is_some() || exchange.end.is_some();
    Ok(any.then_some(exchange))
}
