//! How long a new connection took: name look-up, TCP and TLS, of the request that had to wait for it.

use std::cell::Cell;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::Instant;
use tower_layer::Layer;
use tower_service::Service;

tokio::task_local! {
    /// Of the request that is made in this scope.
    static TOOK: Cell<Duration>;
}

/// Makes a request with a client that has the layer [`Timed`]; says how long its connection took: no time at all where it went
/// over one that was there.
pub(super) async fn timed<F: Future>(request: F) -> (F::Output, Duration) {
    let scope = async {
        let output = request.await;
        (output, TOOK.with(Cell::get))
    };
    TOOK.scope(Cell::new(Duration::ZERO), scope).await
}

/// Times the connections that a client makes.
#[derive(Clone, Debug)]
pub(super) struct Timed;

impl<S> Layer<S> for Timed {
    type Service = TimedConnector<S>;

    fn layer(&self, inner: S) -> Self::Service {
        TimedConnector(inner)
    }
}

/// Makes connections, and times them.
#[derive(Clone, Debug)]
pub(super) struct TimedConnector<S>(S);

impl<S, T> Service<T> for TimedConnector<S>
where
    S: Service<T>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<S::Response, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, target: T) -> Self::Future {
        let begun = Instant::now();
        let connecting = self.0.call(target);
        Box::pin(async move {
            let connected = connecting.await;
            // A request that gets another connection first leaves this one to the background, outside of any scope.
            let _ = TOOK.try_with(|took| took.set(begun.elapsed()));
            connected
        })
    }
}
