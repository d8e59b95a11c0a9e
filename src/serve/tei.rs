//! TEI for a client behind a WebSocket: as on stdin and stdout, one message a line.

use std::io;

use super::socket::{Inbox, Outbox};
use super::warnings::warn;
use crate::engine::Permissions;
use crate::tei::output::is_error;
use crate::tei::server;

/// Serves a client. A message may end in a line feed or not, and may hold several lines.
pub fn session(inbox: Inbox, outbox: &Outbox, permissions: Permissions) {
    let lines = inbox.flat_map(|text| text.lines().map(|line| Ok(line.to_owned())).collect::<Vec<_>>());
    let mut say = |message: &str| {
        if is_error(message) {
            warn(message);
        }
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        outbox.send(message.to_owned()).map_err(gone)
    };
    if let Err(error) = server::converse(lines, permissions, &mut say)
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        warn(&format!("a session has ended: {error}"));
    }
}
