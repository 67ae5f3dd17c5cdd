//! Feeds any bytes to `framescope_tests::fuzz::capture`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| framescope_tests::fuzz::capture(data));
