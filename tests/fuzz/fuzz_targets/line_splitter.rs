//! Feeds any bytes to `framescope_tests::fuzz::line_splitter`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| framescope_tests::fuzz::line_splitter(data));
