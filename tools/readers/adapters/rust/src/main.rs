//! Readers in Rust as a program for `npm run readers`: each line of its input has a kind and bytes.
use base64::{engine::general_purpose::STANDARD, Engine};
use fallible_iterator::FallibleIterator;
use serde_json::{json, Map, Value};
use sha2::{Digest, Sha256};
use std::io::{stdin, stdout, BufRead, Write};

/// The digests are private, and are taken from what the library prints.
fn digests(event: &uefi_eventlog::Event) -> Value {
    let printed = serde_json::to_value(&event.digests).unwrap();
    let named = printed.as_array().unwrap().iter().map(|one| {
        let bytes = STANDARD.decode(one["digest"].as_str().unwrap()).unwrap();
        let name = one["method"].as_str().unwrap().to_lowercase();
        (name, json!(hex::encode(bytes)))
    });
    Value::Object(named.collect::<Map<_, _>>())
}

fn read_log(bytes: &[u8]) -> Result<Value, uefi_eventlog::Error> {
    let events: Vec<Value> = uefi_eventlog::Parser::new(bytes)
        .map(|event| {
            Ok(json!({
                "pcr": event.pcr_index, "type": u32::from(event.event), "size": event.data.len(),
                "data": hex::encode(Sha256::digest(&event.data)), "digests": digests(&event),
            }))
        })
        .collect()?;
    Ok(json!({ "events": events }))
}

fn read_list(bytes: &[u8]) -> Result<Value, ima_measurements::Error> {
    let entries: Vec<Value> = ima_measurements::Parser::new(bytes)
        .map(|event| {
            let printed = serde_json::to_value(&event).unwrap();
            let (digest, name) = (&printed["digest"], &printed["name"]);
            let algorithm = digest["algo"].as_str().unwrap().to_lowercase();
            Ok(json!({
                "pcr": event.pcr_index, "templateHash": hex::encode(event.template_sha1), "name": name,
                "digest": format!("{algorithm}:{}", digest["digest"].as_str().unwrap()),
            }))
        })
        .collect()?;
    Ok(json!({ "entries": entries }))
}

fn main() {
    for line in stdin().lock().lines() {
        let given: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let bytes = STANDARD.decode(given["bytes"].as_str().unwrap()).unwrap();
        let answer = match given["kind"].as_str() {
            Some("log") => read_log(&bytes).map_err(|error| error.to_string()),
            _ => read_list(&bytes).map_err(|error| error.to_string()),
        };
        let answer = answer.unwrap_or_else(|error| json!({ "error": error }));
        writeln!(stdout(), "{answer}").unwrap();
    }
}
