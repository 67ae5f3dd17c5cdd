//! Exports sessions as captures; imports captures and session files.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _, Write};
use std::path::Path;

use bytes::Bytes;
use sqlx::{Connection, Row as _};
use uuid::Uuid;

use super::batch::Preparation;
use super::error::{HistoryError, database, file};
use super::lock::Lock;
use super::meta::Meta;
use super::reader::{SessionReader, Shared};
use super::tally::Tally;
use super::types::{Origin, SessionState};
use super::{History, View, file as files, sealed};
use crate::protocol::ServerConfig;
use crate::record::capture::{self, CaptureReader, CaptureWriter, CapturedRecord, Header};
use crate::record::redact::{Found, Hit, Redactor};
use crate::record::{
    Body, BodyId, Conn, Entry, EventKind, Flags, Record, Redaction, Seq, SessionId,
};

/// Bodies of one page together, unless one alone is larger.
const PAGE_BYTES: i64 = 8 << 20;
/// Records of one page, and of one transaction of an import.
const PAGE: u32 = 1000;
/// A larger body is stored in parts of this size, as the tap does.
const PART: usize = 4 << 20;

impl History {
    /// Writes a session as a capture file (`docs/capture-format.md`); answers how many records.
    pub async fn export(&self, id: SessionId, out: impl Write + Send) -> Result<u64, HistoryError> {
        self.export_where(id, |_| true, None, out).await
    }

    /// The same without what the redactor takes out of it.
    pub async fn export_redacted(
        &self,
        id: SessionId,
        redactor: &Redactor,
        out: impl Write + Send,
    ) -> Result<u64, HistoryError> {
        self.export_where(id, |_| true, Some(redactor), out).await
    }

    /// What an export would lack. At most `most` places are described.
    pub async fn preview_export(
        &self,
        id: SessionId,
        redactor: &Redactor,
        most: usize,
    ) -> Result<ExportPreview, HistoryError> {
        let reader = self.reader(id).await?;
        let mut preview = ExportPreview {
            hits: vec![0; redactor.rules().len()],
            ..ExportPreview::default()
        };
        let mut header = header(&reader).await?;
        let found = redactor.header(&mut header, most);
        preview.add(None, found);
        let mut next = Seq(1);
        loop {
            let page = reader.records(next, PAGE).await?;
            let Some(last) = page.last() else { break };
            next = Seq(last.seq.0 + 1);
            for mut record in page {
                let room = most - preview.places.len();
                let found = redactor.record(&mut record, room);
                preview.records += 1;
                preview.changed += u64::from(!found.counts.is_empty());
                preview.add(Some(record.seq), found);
            }
        }
        Ok(preview)
    }

    /// Writes the records of a view of that session as a capture file; answers how many.
    pub async fn export_view(
        &self,
        id: SessionId,
        view: &View,
        out: impl Write + Send,
    ) -> Result<u64, HistoryError> {
        self.export_where(id, |seq| view.index_of(seq).is_ok(), None, out)
            .await
    }

    async fn export_where(
        &self,
        id: SessionId,
        wanted: impl Fn(Seq) -> bool,
        redactor: Option<&Redactor>,
        out: impl Write + Send,
    ) -> Result<u64, HistoryError> {
        let reader = self.reader(id).await?;
        let failed = |source| HistoryError::Export { id, source };
        let mut header = header(&reader).await?;
        if let Some(redactor) = redactor {
            redactor.header(&mut header, 0);
        }
        let mut writer = CaptureWriter::new(out, &header).map_err(failed)?;
        let (mut next, mut count) = (Seq(1), 0);
        loop {
            let page = reader.records(next, PAGE).await?;
            let Some(last) = page.last() else { break };
            next = Seq(last.seq.0 + 1);
            for mut record in page.into_iter().filter(|record| wanted(record.seq)) {
                if let Some(redactor) = redactor {
                    redactor.record(&mut record, 0);
                }
                writer.record(&record).map_err(failed)?;
                count += 1;
            }
        }
        writer.finish().map_err(failed)?;
        Ok(count)
    }

    /// Takes in a capture or a session file. A session that is present already comes in under a new id.
    pub async fn import(&self, path: &Path) -> Result<SessionId, HistoryError> {
        let head = head(path)?;
        if files::is_sqlite(&head) {
            return self.import_file(path).await;
        }
        if sealed::is_sealed(&head) {
            let path = path.to_owned();
            return Err(HistoryError::NeedsPassphrase { path });
        }
        self.import_capture(path, open(path)?).await
    }

    /// The same of a capture that may be encrypted. Nothing of it is written to a disk before it is a session.
    pub async fn import_sealed(
        &self,
        path: &Path,
        passphrase: &str,
    ) -> Result<SessionId, HistoryError> {
        if !sealed::is_sealed(&head(path)?) {
            return self.import(path).await;
        }
        let (from, passphrase) = (path.to_owned(), passphrase.to_owned());
        // The passphrase costs a second of work, so that guessing costs more.
        let opened = move || sealed::open(&from, open(&from)?, &passphrase);
        let input = tokio::task::spawn_blocking(opened).await;
        let input = input.map_err(|error| HistoryError::Sealed {
            path: path.to_owned(),
            why: format!("this app failed while it opened it ({error}); please report it"),
        })??;
        self.import_capture(path, BufReader::new(input)).await
    }

    async fn import_capture(
        &self,
        path: &Path,
        input: impl BufRead + Send,
    ) -> Result<SessionId, HistoryError> {
        let bad = |error: capture::CaptureError| HistoryError::Capture {
            path: path.to_owned(),
            line: error.line,
            why: error.problem.to_string(),
        };
        let mut capture = CaptureReader::new(input).map_err(bad)?;
        let mut meta = imported(
            capture.header(),
            self.free_id(capture.header().session).await?,
        );
        let (lock, mut writer) = self.begin_file(&mut meta).await?;
        let (mut parts, mut expected) = (BodyId::FIRST_IN_PARTS.0, 1);
        let mut preparation = Preparation::default();
        let copied = async {
            loop {
                let (mut entries, mut bytes) = (Vec::new(), 0);
                while entries.len() < PAGE as usize && bytes < PAGE_BYTES as usize {
                    let Some(record) = capture.next_record().map_err(bad)? else {
                        break;
                    };
                    meta.sparse |= record.seq.0 != expected;
                    expected = record.seq.0 + 1;
                    bytes += record.body.len();
                    entries.extend(in_parts(record.into(), &mut parts));
                }
                if entries.is_empty() {
                    return Ok(());
                }
                writer
                    .write(preparation.batch(&mut entries).await)
                    .await
                    .map_err(database("write the session", &self.session_path(meta.id)))?;
            }
        };
        if let Err(error) = copied.await {
            drop(writer);
            self.remove_file(meta.id).await?;
            lock.release();
            return Err(error);
        }
        // Nobody saw the end of a capture that states none.
        meta.owner_gone = meta.ended_us.is_none();
        meta.ended_us = meta
            .ended_us
            .or(writer.tally().last_us)
            .or(Some(meta.started_us));
        self.end_file(lock, writer, &meta).await?;
        Ok(meta.id)
    }

    /// Copies a session file through SQLite, so that one that lives or was orphaned comes in whole.
    async fn import_file(&self, path: &Path) -> Result<SessionId, HistoryError> {
        let failed = database("copy the session", path);
        let pool = files::open_reader(path).await?;
        let mut source = pool.acquire().await.map_err(&failed)?;
        let damaged = |why| HistoryError::Damaged {
            what: "the description",
            name: path.display().to_string(),
            why,
        };
        let mut meta = Meta::read(&mut source).await.map_err(damaged)?;
        let original = meta.id;
        meta.id = self.free_id(original).await?;
        meta.made_by = meta.made_by.or_else(|| Some(meta.origin.to_string()));
        meta.origin = Origin::Import;
        meta.imported_from = Some(original.to_string());
        let lock_path = self.lock_path(meta.id);
        let lock = Lock::take(&lock_path).map_err(file("lock the session", &lock_path))?;
        let lock = lock.ok_or(HistoryError::Exists(meta.id))?;
        let target = self.session_path(meta.id).to_string_lossy().into_owned();
        let copied = sqlx::query("vacuum into ?1")
            .bind(target)
            .execute(&mut *source)
            .await;
        drop(source);
        pool.close().await;
        let adopted = async {
            copied.map_err(&failed)?;
            self.adopt(&mut meta).await
        };
        if let Err(error) = adopted.await {
            self.remove_file(meta.id).await?;
            lock.release();
            return Err(error);
        }
        lock.release();
        if meta.ended_us.is_none() {
            self.recover(meta.id).await?;
        }
        self.bump();
        Ok(meta.id)
    }

    /// Writes into a copied file, and into the catalogue, who it is here.
    async fn adopt(&self, meta: &mut Meta) -> Result<(), HistoryError> {
        let path = self.session_path(meta.id);
        let failed = database("write the session", &path);
        let mut conn = files::open_writer(&path).await?;
        let tally = Tally::of_file(&mut conn).await.map_err(&failed)?;
        meta.number = self.catalogue().begin(meta).await?;
        meta.write(&mut conn).await.map_err(&failed)?;
        conn.close().await.map_err(&failed)?;
        self.catalogue()
            .update(meta.id, &tally, meta.ended_us, meta.owner_gone)
            .await
    }

    /// The id, if it can be had here.
    async fn free_id(&self, id: SessionId) -> Result<SessionId, HistoryError> {
        if self.session_path(id).exists() {
            return Ok(SessionId(Uuid::now_v7()));
        }
        // A session is deleted by deleting its file; the catalogue may still know it.
        self.catalogue().forget(id).await?;
        Ok(id)
    }

    /// Takes back an import that broke off.
    async fn remove_file(&self, id: SessionId) -> Result<(), HistoryError> {
        self.catalogue().forget(id).await?;
        let path = self.session_path(id);
        for ending in ["", "-wal", "-shm"] {
            let mut name = path.clone().into_os_string();
            name.push(ending);
            let _ = std::fs::remove_file(name);
        }
        Ok(())
    }
}

impl SessionReader {
    /// Records from a number on with their bodies: at most `n`, and after the first no more than 8 MiB of bodies.
    pub async fn records(&self, from: Seq, n: u32) -> Result<Vec<CapturedRecord>, HistoryError> {
        let sizes = {
            let sql = "select seq, size from records where seq >= ?1 order by seq limit ?2";
            let sizes = sqlx::query_as::<_, (i64, i64)>(sql)
                .bind(int(from.0))
                .bind(n);
            let mut reading = self.shared.read().await?;
            sizes
                .fetch_all(&mut *reading.conn)
                .await
                .map_err(self.shared.failed())?
        };
        let mut room = PAGE_BYTES;
        let fits = |(place, (_, size)): &(usize, (i64, i64))| {
            room -= size;
            *place == 0 || room >= 0
        };
        let Some((_, (last, _))) = sizes.into_iter().enumerate().take_while(fits).last() else {
            return Ok(Vec::new());
        };
        read_records(&self.shared, int(from.0), last).await
    }
}

async fn read_records(
    shared: &Shared,
    from: i64,
    to: i64,
) -> Result<Vec<CapturedRecord>, HistoryError> {
    let mut reading = shared.read().await?;
    let page = async {
        // A body in one part comes with its row; the parts of others follow below.
        let rows = sqlx::query(
            "select r.seq, r.at_us, r.conn, r.event, r.direction, r.via, r.about, r.flags, r.body, b.bytes
             from records r left join bodies b on b.body = r.body
             where r.seq between ?1 and ?2 order by r.seq",
        );
        let rows = rows
            .bind(from)
            .bind(to)
            .fetch_all(&mut *reading.conn)
            .await?;
        let places = sqlx::query_as::<_, (i64, i64, String)>(
            "select seq, offset, name from redactions where seq between ?1 and ?2 order by seq, offset",
        );
        let mut places = places
            .bind(from)
            .bind(to)
            .fetch_all(&mut *reading.conn)
            .await?
            .into_iter()
            .peekable();
        let mut records = Vec::with_capacity(rows.len());
        for row in &rows {
            let seq: i64 = row.try_get(0)?;
            let mut body = row
                .try_get::<Option<&[u8]>, _>(9)?
                .unwrap_or_default()
                .to_vec();
            let key: i64 = row.try_get(8)?;
            if key >= int(BodyId::FIRST_IN_PARTS.0) {
                let more = "select bytes from bodies where body > ?1 and body < ?2 order by body";
                let more = sqlx::query(more).bind(key).bind(key + int(BodyId::PARTS));
                for part in more.fetch_all(&mut *reading.conn).await? {
                    body.extend_from_slice(part.try_get(0)?);
                }
            }
            let mut redactions = Vec::new();
            while let Some((_, offset, name)) = places.next_if(|(of, ..)| *of == seq) {
                redactions.push(Redaction {
                    offset: offset.unsigned_abs(),
                    name,
                });
            }
            let numbered = |number: Option<i64>| number.map(|seq| Seq(seq.unsigned_abs()));
            let flags = u32::try_from(row.try_get::<i64, _>(7)?).unwrap_or(0);
            records.push(CapturedRecord {
                seq: Seq(seq.unsigned_abs()),
                at_us: row.try_get(1)?,
                conn: Conn(u32::try_from(row.try_get::<i64, _>(2)?).unwrap_or(u32::MAX)),
                event: EventKind::from_number(row.try_get(3)?),
                direction: row
                    .try_get::<Option<i64>, _>(4)?
                    .and_then(super::codes::direction_of),
                via: numbered(row.try_get(5)?),
                about: numbered(row.try_get(6)?),
                body: body.into(),
                redactions,
                flags: Flags(flags & CapturedRecord::FLAGS.0),
            });
        }
        Ok(records)
    };
    page.await.map_err(shared.failed())
}

/// What an export would lack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportPreview {
    /// The records of the session.
    pub records: u64,
    /// How many of them are changed.
    pub changed: u64,
    /// How often each rule hits, in the order of [`Redactor::rules`].
    pub hits: Vec<u64>,
    /// The first of the places, each with its record; one without a record is in the description of the session.
    pub places: Vec<(Option<Seq>, Hit)>,
}

impl ExportPreview {
    fn add(&mut self, seq: Option<Seq>, found: Found) {
        for (rule, count) in found.counts {
            if let Some(hits) = self.hits.get_mut(rule) {
                *hits += count;
            }
        }
        self.places
            .extend(found.hits.into_iter().map(|hit| (seq, hit)));
    }
}

fn open(path: &Path) -> Result<BufReader<File>, HistoryError> {
    File::open(path)
        .map(BufReader::new)
        .map_err(file("read", path))
}

/// How a file begins.
fn head(path: &Path) -> Result<Vec<u8>, HistoryError> {
    let mut head = Vec::new();
    open(path)?
        .take(32)
        .read_to_end(&mut head)
        .map_err(file("read", path))?;
    Ok(head)
}

/// What a capture says of its session.
async fn header(reader: &SessionReader) -> Result<Header, HistoryError> {
    let summary = reader.summary().await?;
    let meta = reader.shared.meta().await?;
    let seen = summary.state == SessionState::Ended && !meta.owner_gone;
    Ok(Header {
        format: capture::FORMAT,
        session: summary.id,
        origin: meta.made_by.unwrap_or_else(|| meta.origin.to_string()),
        server: meta.server_name,
        name: summary.name,
        revision: summary.revision,
        config: Some(meta.config).filter(|config| *config != unknown()),
        started_us: meta.started_us,
        ended_us: meta.ended_us.filter(|_| seen),
        previous: meta.previous,
        tags: summary.tags,
    })
}

fn imported(header: &Header, id: SessionId) -> Meta {
    Meta {
        id,
        server: None,
        server_name: header.server.clone(),
        number: 0,
        name: header.name.clone(),
        origin: Origin::Import,
        made_by: Some(header.origin.clone()),
        config: header.config.clone().unwrap_or_else(unknown),
        previous: header.previous,
        started_us: header.started_us,
        ended_us: header.ended_us,
        owner_gone: false,
        sparse: false,
        pinned: false,
        tags: header.tags.clone(),
        imported_from: Some(header.session.to_string()),
    }
}

/// Stands for how a server was reached where a capture does not say, or only a newer program understands it.
fn unknown() -> ServerConfig {
    ServerConfig::Stdio {
        command: String::new(),
        args: Vec::new(),
        env: [].into(),
        cwd: None,
    }
}

/// A record as the tap would have handed it over: a large body in parts before it.
fn in_parts(mut record: Record, next: &mut u64) -> Vec<Entry> {
    let Body::Whole(bytes) = &record.body else {
        return vec![Entry::Record(record)];
    };
    if bytes.len() <= PART {
        return vec![Entry::Record(record)];
    }
    let (id, mut rest, mut entries) = (BodyId(*next), bytes.clone(), Vec::new());
    *next += BodyId::PARTS;
    for part in 0.. {
        if rest.is_empty() {
            break;
        }
        let bytes: Bytes = rest.split_to(PART.min(rest.len()));
        entries.push(Entry::Part { id, part, bytes });
    }
    record.body = Body::Parts {
        id,
        size: bytes.len() as u64,
        head: bytes.slice(..bytes.len().min(64 << 10)),
    };
    entries.push(Entry::Record(record));
    entries
}

fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
