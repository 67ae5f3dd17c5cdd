//! `com.example.weather/current`: the weather tool of the MCP introduction.
//!
//! The `/` in its name is outside the characters that MCP recommends since 2025-11-25. It stays, as one of the names
//! that real servers have.

use rmcp::model::{CallToolResult, ContentBlock, Tool, ToolAnnotations};
use rmcp::object;
use serde_json::{Value, json};

use super::Answer;
use super::input::{Arguments, missing, wrong};

pub(crate) const NAME: &str = "com.example.weather/current";

const SKIES: [&str; 6] = [
    "clear sky",
    "partly cloudy",
    "overcast",
    "light rain",
    "thunderstorm",
    "snow showers",
];

#[derive(Clone, Copy)]
pub(crate) enum Units {
    Metric,
    Imperial,
    Kelvin,
}

impl Units {
    fn name(self) -> &'static str {
        match self {
            Self::Metric => "metric",
            Self::Imperial => "imperial",
            Self::Kelvin => "kelvin",
        }
    }

    fn symbol(self) -> &'static str {
        match self {
            Self::Metric => "°C",
            Self::Imperial => "°F",
            Self::Kelvin => "K",
        }
    }

    /// A temperature of `tenths` of a degree Celsius, in this unit, to one decimal.
    fn temperature(self, tenths: i32) -> f64 {
        let tenths = match self {
            Self::Metric => tenths,
            Self::Imperial => tenths * 9 / 5 + 320,
            Self::Kelvin => tenths + 2_732,
        };
        f64::from(tenths) / 10.0
    }
}

pub(crate) fn tool() -> Tool {
    let input = object!({
        "type": "object",
        "properties": {
            "location": {
                "type": "string",
                "title": "Location",
                "description": "City name, address, or coordinates as latitude,longitude",
                "minLength": 1,
                "examples": ["Lisbon", "48.8584,2.2945"]
            },
            "units": {
                "type": "string",
                "title": "Units",
                "description": "Units of the temperature in the answer",
                "enum": ["metric", "imperial", "kelvin"],
                "default": "metric"
            }
        },
        "required": ["location"],
        "additionalProperties": false
    });
    let output = object!({
        "type": "object",
        "properties": {
            "location": { "type": "string", "description": "The place, as it was asked for" },
            "units": { "type": "string", "enum": ["metric", "imperial", "kelvin"] },
            "temperature": { "type": "number", "description": "Air temperature, in °C, °F or K" },
            "conditions": { "type": "string", "description": "The sky in a few words" },
            "humidity": { "type": "integer", "description": "Relative humidity in percent", "minimum": 0, "maximum": 100 },
            "windKmh": { "type": "integer", "description": "Wind speed in km/h, in all units", "minimum": 0 }
        },
        "required": ["location", "units", "temperature", "conditions", "humidity", "windKmh"]
    });
    Tool::new(
        NAME,
        "Get the current weather at a place. The report is made up from the name of the place: the same name always \
         gives the same weather.",
        input,
    )
    .with_title("Weather Information")
    .with_raw_output_schema(output.into())
    .with_annotations(ToolAnnotations::new().read_only(true).idempotent(true).open_world(false))
}

pub(super) fn call(given: &Arguments) -> Answer {
    let location = given
        .text("location")?
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .ok_or_else(|| missing("location"))?;
    let units = match given.text("units")? {
        None | Some("metric") => Units::Metric,
        Some("imperial") => Units::Imperial,
        Some("kelvin") => Units::Kelvin,
        Some(other) => {
            return Err(wrong(
                "units",
                "metric, imperial or kelvin",
                &Value::from(other),
            ));
        }
    };
    let report = report(location, units);
    let text = format!(
        "Current weather in {location}: {} {}, {}. Humidity: {} %, wind: {} km/h.",
        report["temperature"],
        units.symbol(),
        SKIES[sky(location)],
        report["humidity"],
        report["windKmh"],
    );
    let mut result = CallToolResult::structured(report);
    result.content.insert(0, ContentBlock::text(text));
    Ok(result)
}

/// The report for a place, in the shape of the tool's output.
pub(crate) fn report(location: &str, units: Units) -> Value {
    let seed = seed(location);
    json!({
        "location": location,
        "units": units.name(),
        "temperature": units.temperature((seed % 350) as i32 - 20),
        "conditions": SKIES[sky(location)],
        "humidity": 30 + seed / 350 % 60,
        "windKmh": seed / 21_000 % 45,
    })
}

fn sky(location: &str) -> usize {
    (seed(location) / 945_000 % 6) as usize
}

/// FNV-1a of the name in small letters: the same on every machine and in every version.
fn seed(location: &str) -> u32 {
    location
        .to_lowercase()
        .bytes()
        .fold(0x811c_9dc5, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        })
}
