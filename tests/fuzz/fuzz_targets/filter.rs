//! Feeds any bytes to `framescope_tests::fuzz::filter`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| framescope_tests::fuzz::filter(data));
