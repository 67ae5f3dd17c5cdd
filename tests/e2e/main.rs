//! User journeys on the real app.
