//! TEI over a WebSocket: as on stdin and stdout, one line per message.

use std::io::ErrorKind;

use super::socket::{Inbox, Outbox, Terms};
use crate::tei::output::is_error;
use crate::tei::server;

/// Serves a client. A message may also have several lines, with or without a final line feed.
pub fn session(inbox: Inbox, outbox: &Outbox, terms: &Terms) {
    let lines = inbox.flat_map(|text| text.lines().map(|line| Ok(line.to_owned())).collect::<Vec<_>>());
    let mut say = |message: &str| {
        if is_error(message) {
            log::warn!("{message}");
        }
        outbox.send(message.to_owned())
    };
    if let Err(error) = server::converse(lines, terms.permissions, &mut say)
        && error.kind() != ErrorKind::BrokenPipe
    {
        log::warn!("a session has failed: {error}");
    }
}
