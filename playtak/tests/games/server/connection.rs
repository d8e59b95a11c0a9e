//! A connection of a player.

use std::io::ErrorKind;
use std::net::{Shutdown, TcpStream};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

use super::PASSWORD;
use super::world::{Out, World};

type Socket = WebSocket<TcpStream>;

/// A connection from its handshake to its end.
pub fn serve(stream: TcpStream, world: &Mutex<World>, ended: &AtomicBool) {
    stream.set_nonblocking(false).unwrap();
    stream.set_nodelay(true).unwrap();
    let control = stream.try_clone().unwrap();
    // The public server answers this to any request.
    #[allow(clippy::result_large_err)]
    let answer = |_: &Request, mut response: Response| {
        let protocol = HeaderValue::from_static("binary");
        response.headers_mut().insert("Sec-WebSocket-Protocol", protocol);
        Ok(response)
    };
    let Ok(mut socket) = tungstenite::accept_hdr(stream, answer) else {
        return;
    };
    control.set_read_timeout(Some(Duration::from_millis(2))).unwrap();
    let (out, lines) = channel();
    let mut visit = Visit::default();
    let _ = visit.talk(&mut socket, &out, &lines, world, ended);
    let _ = control.shutdown(Shutdown::Both);
    if let Some(name) = visit.name {
        let mut world = world.lock().unwrap();
        // Unless the player has reconnected already.
        let now = &world.players[&name].out;
        if now.as_ref().is_none_or(|(number, _)| *number == visit.number) {
            world.log_out(&name);
        }
    }
}

#[derive(Default)]
struct Visit {
    /// Distinguishes it from other connections of the same player.
    number: u64,
    name: Option<String>,
}

impl Visit {
    fn talk(
        &mut self,
        socket: &mut Socket,
        out: &Sender<Out>,
        lines: &Receiver<Out>,
        world: &Mutex<World>,
        ended: &AtomicBool,
    ) -> Result<(), tungstenite::Error> {
        let send = |socket: &mut Socket, line: &str| {
            // With a line break, and in ISO-8859-1, as the public server does.
            let bytes: Vec<u8> = format!("{line}\n").chars().map(|c| c as u8).collect();
            socket.send(Message::Binary(bytes.into()))
        };
        send(socket, "Welcome!")?;
        send(socket, "Login or Register")?;
        while !ended.load(Ordering::Relaxed) {
            for line in lines.try_iter() {
                match line {
                    Out::Line(line) => send(socket, &line)?,
                    Out::Cut => return Ok(()),
                }
            }
            let line = match socket.read() {
                Ok(Message::Text(text)) => text.as_str().to_owned(),
                Ok(Message::Binary(bytes)) => bytes.iter().copied().map(char::from).collect(),
                Ok(_) => continue,
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    continue;
                }
                Err(error) => return Err(error),
            };
            if line == "quit" {
                return Ok(());
            }
            if let Some(name) = &self.name {
                world.lock().unwrap().hear(name, &line);
                continue;
            }
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["Client", _] | ["Protocol", "4"] => send(socket, "OK")?,
                ["Login", "Guest", token] if token.len() == 20 => {
                    let mut world = world.lock().unwrap();
                    let next = format!("Guest{}", world.guests.len() + 1);
                    let name = world.guests.entry(token.to_owned()).or_insert(next).clone();
                    self.number = world.log_in(&name, out.clone(), true);
                    self.name = Some(name);
                }
                ["Login", name, password] if password == PASSWORD => {
                    let mut world = world.lock().unwrap();
                    self.number = world.log_in(name, out.clone(), false);
                    self.name = Some(name.to_owned());
                }
                ["Login", ..] => send(socket, "Authentication failure")?,
                _ => {
                    let nobody = ("nobody".to_owned(), line.clone());
                    world.lock().unwrap().refused.push(nobody);
                    send(socket, "NOK")?;
                }
            }
        }
        Ok(())
    }
}
