//! Feeds any bytes to `framescope_tests::fuzz::mcp_servers`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| framescope_tests::fuzz::mcp_servers(data));
