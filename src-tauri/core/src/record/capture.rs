//! The JSONL capture format, version 1.
