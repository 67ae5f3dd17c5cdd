//! The level of log messages that a session wants to hear (server/utilities/logging).

use super::{Client, ClientError, Draft};
use crate::protocol::LogLevel;
use crate::record::Seq;

const METHOD: &str = "logging/setLevel";
/// The member of `_meta` by which a modern request asks for log messages.
pub(super) const META: &str = "io.modelcontextprotocol/logLevel";

impl Client {
    /// The level that was asked for, if any was.
    pub fn log_level(&self) -> Option<LogLevel> {
        *self.latest().dial.log_level.lock()
    }

    /// Asks for log messages from a level on. A legacy server is told, and the record of that is given; a modern one hears it
    /// with every request from now on, and with `None` it is to send nothing. A legacy server cannot be told `None`.
    ///
    /// # Errors
    /// Where a legacy server was not told, or refuses.
    pub async fn set_log_level(&self, level: Option<LogLevel>) -> Result<Option<Seq>, ClientError> {
        let link = self.latest();
        let mut told = None;
        if let (false, Some(level)) = (link.is_modern(), level) {
            let params = format!(r#"{{"level":"{}"}}"#, level.name());
            let call = self.call(&Draft::new(METHOD, Some(params))).await?;
            told = Some(call.seq());
            if let Err(error) = call.outcome().await.answered(METHOD)? {
                let method = METHOD.to_owned();
                return Err(ClientError::Refused { method, error });
            }
        }
        *link.dial.log_level.lock() = level;
        Ok(told)
    }
}
