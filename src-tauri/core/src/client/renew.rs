//! Another wire in the place of one that is lost, in the same session: a new `conn`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::link::Link;
use super::{Client, ClientError};
use crate::protocol::{Era, EraChoice};
use crate::record::{Note, StoppedBy};

impl Link {
    /// The wire that takes this one's place; opens it unless somebody has.
    pub(super) async fn renew(self: &Arc<Self>, why: &str) -> Result<Arc<Self>, ClientError> {
        let _one_at_a_time = self.dial.renewing.lock().await;
        if let Some(next) = self.next.get() {
            return Ok(Arc::clone(next));
        }
        let text = format!("{why}; connecting anew");
        if self.closed().is_none() {
            self.note(Note::Handshake { text }, None).await;
        }
        let era = match (self.dial.how.era, self.negotiated.get()) {
            // The server was found out once; the probe could end it again.
            (EraChoice::Auto, Some(found)) if found.era == Era::Legacy => EraChoice::Legacy,
            (era, _) => era,
        };
        let link = Box::pin(self.dial.wire(&self.config, era)).await?;
        link.proven.store(false, Ordering::Relaxed);
        // Nobody else sets it: one at a time.
        let _ = self.next.set(Arc::clone(&link));
        self.writer.close(
            StoppedBy::App,
            Some("another connection took its place".to_owned()),
        );
        self.dial.lists.forget();
        link.listen_again().await;
        Ok(link)
    }
}

impl Client {
    /// Connects anew, as another `conn` of the same session, where the connection is lost. The client is the same: what
    /// waits for [`Client::gone`] from now on waits for the new connection.
    ///
    /// # Errors
    /// Where the server cannot be reached. It can be tried again.
    pub async fn reconnect(&self) -> Result<(), ClientError> {
        let link = self.latest();
        link.renew("the connection was lost").await.map(drop)
    }
}
