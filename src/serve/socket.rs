//! A WebSocket and its session, which runs on a thread of its own.
//!
//! Only a few texts are queued in either direction. So a client that writes fast waits for the session, and the session
//! waits for a client that reads slowly.

use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use hyper_tungstenite::HyperWebsocketStream;
use hyper_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use hyper_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use hyper_tungstenite::tungstenite::{Bytes, Error, Message};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::SecondEngine;
use crate::engine::Permissions;

/// The maximum size of a text in bytes, as for TEI on stdin.
const MAX_TEXT_BYTES: usize = 512 * 1024;

/// Texts queued for the session.
const MAX_INCOMING_TEXTS: usize = 4;

/// Texts queued for the client.
const MAX_OUTGOING_TEXTS: usize = 64;

/// The time in which a client must read a text.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

const PING_INTERVAL: Duration = Duration::from_secs(20);

/// The time after which a client that sends nothing, not even answers to pings, is disconnected.
const RECEIVE_TIMEOUT: Duration = Duration::from_secs(50);

const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves a WebSocket until it is closed, on a thread of its own.
pub type Session = fn(Inbox, &Outbox, &Terms);

/// What a session may use.
#[derive(Clone)]
pub struct Terms {
    pub permissions: Permissions,
    pub second: Option<SecondEngine>,
}

/// Limits of messages and buffers.
pub fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(16 * 1024)
        .write_buffer_size(0)
        // The report on a game with many diagrams has 4 MiB.
        .max_write_buffer_size(8 * 1024 * 1024)
        .max_message_size(Some(MAX_TEXT_BYTES))
        .max_frame_size(Some(MAX_TEXT_BYTES))
}

/// The texts of a client, until it disconnects.
pub struct Inbox(mpsc::Receiver<String>);

impl Iterator for Inbox {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.0.blocking_recv()
    }
}

/// Sends texts to a client.
#[derive(Clone)]
pub struct Outbox(mpsc::Sender<String>);

impl Outbox {
    /// Sends a text. Waits if the client reads slowly; fails with a broken pipe if it has disconnected.
    pub fn send(&self, text: String) -> io::Result<()> {
        self.0.blocking_send(text).map_err(|_| ErrorKind::BrokenPipe.into())
    }
}

/// Limits and ends all sessions.
pub struct Sessions {
    limit: usize,
    free: Arc<Semaphore>,
    stopped: watch::Receiver<bool>,
}

impl Sessions {
    pub fn new(limit: usize, stopped: watch::Receiver<bool>) -> Self {
        Self { limit, free: Arc::new(Semaphore::new(limit)), stopped }
    }

    /// Reserves a place for a session, if one is free.
    pub fn reserve(&self, session: Session, terms: Terms) -> Reserved {
        Reserved {
            place: Arc::clone(&self.free).try_acquire_owned().ok(),
            limit: self.limit,
            stopped: self.stopped.clone(),
            session,
            terms,
        }
    }

    /// Waits until all sessions have ended.
    pub async fn all_ended(&self) {
        let _ = self.free.acquire_many(self.limit as u32).await;
    }
}

/// A session that has not begun yet.
pub struct Reserved {
    place: Option<OwnedSemaphorePermit>,
    limit: usize,
    stopped: watch::Receiver<bool>,
    session: Session,
    terms: Terms,
}

enum End {
    /// The client has closed it or disconnected.
    Client,
    Session,
    /// The server closes it with this code and reason.
    Close(CloseCode, &'static str),
}

impl Reserved {
    /// Serves the client until it or the session ends.
    pub async fn run(self, websocket: HyperWebsocketStream) {
        let (mut sink, mut stream) = websocket.split();
        let Some(place) = self.place else {
            let taken = match self.limit {
                1 => "the only session is".to_owned(),
                limit => format!("all {limit} sessions are"),
            };
            let reason = format!("{taken} taken; --sessions allows more");
            log::warn!("{reason}");
            // The text is for clients that do not show the reason for closing. PTN Ninja logs it; the page shows it.
            let _ = timeout(CLOSE_TIMEOUT, sink.send(Message::text(format!("info error {reason}")))).await;
            close(sink, stream, CloseCode::Again, &reason).await;
            return;
        };
        let (to_session, inbox) = mpsc::channel(MAX_INCOMING_TEXTS);
        let (to_client, mut outbox) = mpsc::channel(MAX_OUTGOING_TEXTS);
        let (end, ended) = oneshot::channel();
        let (session, terms) = (self.session, self.terms);
        // The place is free when both the engine and the connection have ended.
        let place = Arc::new(place);
        let taken = Arc::clone(&place);
        let work = move || {
            let work = || session(Inbox(inbox), &Outbox(to_client), &terms);
            let is_well = catch_unwind(AssertUnwindSafe(work)).is_ok();
            drop(taken);
            let _ = end.send(is_well);
        };
        if let Err(error) = thread::Builder::new().name("session".to_owned()).spawn(work) {
            log::warn!("cannot start a thread for a session: {error}");
            close(sink, stream, CloseCode::Again, "cannot start a thread for a session").await;
            return;
        }
        let mut stopped = self.stopped;
        let end = tokio::select! {
            end = read(&mut stream, to_session) => end,
            end = write(&mut sink, &mut outbox) => end,
            _ = stopped.wait_for(|&stopped| stopped) => End::Close(CloseCode::Away, "the server is shutting down"),
        };
        // This ends the session.
        drop(outbox);
        match end {
            End::Client => {}
            End::Close(code, reason) => close(sink, stream, code, reason).await,
            End::Session => match ended.await {
                Ok(true) => close(sink, stream, CloseCode::Normal, "the session has ended").await,
                // It has panicked.
                _ => close(sink, stream, CloseCode::Error, "the session has failed").await,
            },
        }
        drop(place);
    }
}

type Sink = SplitSink<HyperWebsocketStream, Message>;
type Stream = SplitStream<HyperWebsocketStream>;

/// Forwards the texts of the client.
async fn read(stream: &mut Stream, to_session: mpsc::Sender<String>) -> End {
    loop {
        let message = match timeout(RECEIVE_TIMEOUT, stream.next()).await {
            Ok(Some(Ok(message))) => message,
            Ok(Some(Err(Error::Capacity(_)))) => {
                return End::Close(CloseCode::Size, "more than 512 KiB in a message");
            }
            Ok(Some(Err(Error::Utf8(_)))) => {
                return End::Close(CloseCode::Invalid, "a message is not valid UTF-8");
            }
            Ok(Some(Err(_)) | None) | Err(_) => return End::Client,
        };
        match message {
            Message::Text(text) => {
                if to_session.send(text.to_string()).await.is_err() {
                    // The session has ended. `write` sends its last texts and then notices it too.
                    std::future::pending::<()>().await;
                }
            }
            Message::Binary(_) => {
                return End::Close(CloseCode::Unsupported, "only text messages are supported");
            }
            Message::Close(_) => return End::Client,
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
        }
    }
}

/// Forwards the texts of the session, and pings the client.
async fn write(sink: &mut Sink, outbox: &mut mpsc::Receiver<String>) -> End {
    let mut ping = interval(PING_INTERVAL);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ping.reset();
    loop {
        let message = tokio::select! {
            text = outbox.recv() => match text {
                Some(text) => Message::text(text),
                None => return End::Session,
            },
            _ = ping.tick() => Message::Ping(Bytes::new()),
        };
        if !matches!(timeout(SEND_TIMEOUT, sink.send(message)).await, Ok(Ok(()))) {
            return End::Client;
        }
    }
}

/// Closes the connection with a reason, and waits a moment for the reply.
async fn close(mut sink: Sink, mut stream: Stream, code: CloseCode, reason: &str) {
    let frame = CloseFrame { code, reason: reason.into() };
    let handshake = async {
        sink.send(Message::Close(Some(frame))).await?;
        // Everything up to the reply is ignored.
        while stream.next().await.is_some_and(|message| message.is_ok()) {}
        Ok::<(), Error>(())
    };
    let _ = timeout(CLOSE_TIMEOUT, handshake).await;
}
