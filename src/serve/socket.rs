//! A WebSocket and its session: the one passes texts on, the other works on a thread of its own.
//!
//! However fast a client writes or however slowly it reads, only a few texts wait on either side; then the session, or the
//! client, has to wait as well.

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

use super::warnings::warn;
use crate::engine::Permissions;

/// The longest text taken, in bytes, as for TEI on stdin.
const LONGEST_TEXT: usize = 512 * 1024;

/// Texts from the client that may wait for the session.
const INCOMING: usize = 4;

/// Texts from the session that may wait for the client.
const OUTGOING: usize = 64;

/// How long a client may take to read a text that waits for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a client is asked whether it is still there.
const ASK: Duration = Duration::from_secs(20);

/// How long a client may be silent, answers to that included.
const SILENCE: Duration = Duration::from_secs(50);

/// How long the exchange of farewells may take.
const FAREWELL: Duration = Duration::from_secs(1);

/// What works on the texts of a WebSocket until there are no more, on a thread of its own.
pub type Session = fn(Inbox, &Outbox, Permissions);

/// Limits of what is read and kept.
pub fn config() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(16 * 1024)
        .write_buffer_size(0)
        .max_write_buffer_size(4 * 1024 * 1024)
        .max_message_size(Some(LONGEST_TEXT))
        .max_frame_size(Some(LONGEST_TEXT))
}

/// The texts that a client sends. There are no more when it is gone.
pub struct Inbox(mpsc::Receiver<String>);

impl Iterator for Inbox {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        self.0.blocking_recv()
    }
}

/// The way to a client.
#[derive(Clone)]
pub struct Outbox(mpsc::Sender<String>);

/// The client is gone.
#[derive(Debug, Clone, Copy)]
pub struct Gone;

impl Outbox {
    /// Sends a text. Waits when the client is slow to read.
    ///
    /// # Errors
    /// [`Gone`] when nobody will ever read it.
    pub fn send(&self, text: String) -> Result<(), Gone> {
        self.0.blocking_send(text).map_err(|_| Gone)
    }
}

/// All sessions: how many there may be, and when they have to end.
pub struct Sessions {
    limit: usize,
    free: Arc<Semaphore>,
    stopped: watch::Receiver<bool>,
}

impl Sessions {
    pub fn new(limit: usize, stopped: watch::Receiver<bool>) -> Self {
        Self { limit, free: Arc::new(Semaphore::new(limit)), stopped }
    }

    /// Takes one of the places for a session, if there is one left.
    pub fn hold(&self, session: Session, permissions: Permissions) -> Held {
        Held {
            place: Arc::clone(&self.free).try_acquire_owned().ok(),
            limit: self.limit,
            stopped: self.stopped.clone(),
            session,
            permissions,
        }
    }

    /// Waits until there is no session any more.
    pub async fn all_ended(&self) {
        let _ = self.free.acquire_many(self.limit as u32).await;
    }
}

/// A session that is about to begin.
pub struct Held {
    place: Option<OwnedSemaphorePermit>,
    limit: usize,
    stopped: watch::Receiver<bool>,
    session: Session,
    permissions: Permissions,
}

/// Why a connection ends.
enum End {
    /// The client has closed it, or is gone.
    Client,
    /// The session has ended by itself.
    Session,
    /// The client is to be told why.
    Close(CloseCode, &'static str),
}

impl Held {
    /// Serves the client until one of the two has enough.
    pub async fn run(self, websocket: HyperWebsocketStream) {
        let (mut sink, mut stream) = websocket.split();
        let Some(place) = self.place else {
            let taken = match self.limit {
                1 => "the only session is".to_owned(),
                limit => format!("all {limit} sessions are"),
            };
            let reason = format!("{taken} taken; --sessions allows more");
            warn(&reason);
            // The text is for clients that do not show why a connection was closed. PTN Ninja logs it; the page shows it.
            let _ = timeout(FAREWELL, sink.send(Message::text(format!("info error {reason}")))).await;
            close(sink, stream, CloseCode::Again, &reason).await;
            return;
        };
        let (to_session, inbox) = mpsc::channel(INCOMING);
        let (to_client, mut outbox) = mpsc::channel(OUTGOING);
        let (tell, ended) = oneshot::channel();
        let (session, permissions) = (self.session, self.permissions);
        // The place is free when both the engine and the connection are gone.
        let place = Arc::new(place);
        let taken = Arc::clone(&place);
        let work = move || {
            let work = || session(Inbox(inbox), &Outbox(to_client), permissions);
            let is_well = catch_unwind(AssertUnwindSafe(work)).is_ok();
            drop(taken);
            let _ = tell.send(is_well);
        };
        if let Err(error) = thread::Builder::new().name("session".to_owned()).spawn(work) {
            warn(&format!("there is no thread for a session: {error}"));
            close(sink, stream, CloseCode::Again, "there is no thread for a session").await;
            return;
        }
        let mut stopped = self.stopped;
        let end = tokio::select! {
            end = read(&mut stream, to_session) => end,
            end = write(&mut sink, &mut outbox) => end,
            _ = stopped.wait_for(|&stopped| stopped) => End::Close(CloseCode::Away, "the server ends"),
        };
        // The session notices that nobody reads and nobody writes any more, and ends.
        drop(outbox);
        match end {
            End::Client => {}
            End::Close(code, reason) => close(sink, stream, code, reason).await,
            End::Session => match ended.await {
                Ok(true) => close(sink, stream, CloseCode::Normal, "the session has ended").await,
                // A bug.
                _ => close(sink, stream, CloseCode::Error, "the session has failed").await,
            },
        }
        drop(place);
    }
}

type Sink = SplitSink<HyperWebsocketStream, Message>;
type Stream = SplitStream<HyperWebsocketStream>;

/// Passes on what the client sends.
async fn read(stream: &mut Stream, to_session: mpsc::Sender<String>) -> End {
    loop {
        let message = match timeout(SILENCE, stream.next()).await {
            Ok(Some(Ok(message))) => message,
            Ok(Some(Err(Error::Capacity(_)))) => {
                return End::Close(CloseCode::Size, "more than 512 KiB in a message");
            }
            Ok(Some(Err(Error::Utf8(_)))) => {
                return End::Close(CloseCode::Invalid, "a message is no UTF-8 text");
            }
            Ok(Some(Err(_)) | None) | Err(_) => return End::Client,
        };
        match message {
            Message::Text(text) => {
                if to_session.send(text.to_string()).await.is_err() {
                    // It has ended. Its last words are still to be sent, then the other side notices it, too.
                    std::future::pending::<()>().await;
                }
            }
            Message::Binary(_) => {
                return End::Close(CloseCode::Unsupported, "only texts are understood");
            }
            Message::Close(_) => return End::Client,
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
        }
    }
}

/// Passes on what the session says, and asks now and then whether the client is there.
async fn write(sink: &mut Sink, outbox: &mut mpsc::Receiver<String>) -> End {
    let mut ask = interval(ASK);
    ask.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ask.reset();
    loop {
        let message = tokio::select! {
            text = outbox.recv() => match text {
                Some(text) => Message::text(text),
                None => return End::Session,
            },
            _ = ask.tick() => Message::Ping(Bytes::new()),
        };
        if !matches!(timeout(PATIENCE, sink.send(message)).await, Ok(Ok(()))) {
            return End::Client;
        }
    }
}

/// Takes leave: the client hears why, and has a moment to answer.
async fn close(mut sink: Sink, mut stream: Stream, code: CloseCode, reason: &str) {
    let frame = CloseFrame { code, reason: reason.into() };
    let farewell = async {
        sink.send(Message::Close(Some(frame))).await?;
        // What comes now is not read any more, but for the answer.
        while stream.next().await.is_some_and(|message| message.is_ok()) {}
        Ok::<(), Error>(())
    };
    let _ = timeout(FAREWELL, farewell).await;
}
