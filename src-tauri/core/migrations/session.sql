-- A session file, DATA/sessions/<uuid>.framescope: one recorded conversation. Read this first.
--
-- A file is made at the newest format and never migrated; readers take the columns that exist. Rows are inserted and
-- never updated; only `meta` is. Its one writer is the process that holds the OS lock on `<uuid>.lock` beside it.
-- Everything but the primary columns and the bodies is an index derived from them, and can be computed again.
-- A format that older programs cannot read raises `user_version`.
pragma application_id = 1179861840; -- "FSCP"
pragma user_version = 2;

-- Facts of the session, one a row; values are text or integers. Text of `config` and `tags` is JSON.
--   id, server, server_name, number, name, origin (app, cli, import), config (references, never secrets), previous,
--   started_us, ended_us (missing: nobody ended it), owner_gone (1: recovered after its recorder died),
--   sparse (1: an imported log with holes in its numbers), pinned, tags,
--   imported_from (an import's id where it came from), made_by (who made that: app, cli)
create table meta (
    key   text primary key,
    value
) without rowid;

-- The log: one row for everything that crossed the wire or was decided, numbered from 1 without gaps.
create table records (
    seq       integer primary key,
    at_us     integer not null,  -- microseconds since the Unix epoch; never runs backwards
    conn      integer not null,  -- number of the process or wire, from 0
    event     integer not null,  -- 1 opened, 2 frame, 3 http, 4 stderr, 5 note, 6 closed
    direction integer,           -- 1 client to server, 2 server to client; frames and http only
    via       integer,           -- the http request or outbound frame whose exchange carried this record
    about     integer,           -- the record that this one is about
    -- Derived. What it is, within its event:
    --   frame: 1 request, 2 notification, 3 result, 4 error, 5 batch, 6 malformed
    --   note:  20 other, 21 timed out, 22 cancelled, 23 unanswered, 24 negotiated
    --   http:  30 request, 31 response, 32 end, 33 comment
    kind      integer,
    method    text,              -- of a request or notification; a response carries its request's
    rpc_id    text,              -- the JSON-RPC id as the raw token: 1 and "1" differ
    reply_to  integer,           -- responses: the request. Request rows are never touched again
    dur_us    integer,           -- responses: microseconds since the request
    code      integer,           -- HTTP status, JSON-RPC error code or exit code
    size      integer not null,  -- bytes of the body
    -- Bits: 1 isError, 2 late, 4 duplicate, 8 orphan, 16 noise, 32 redacted, 64 unterminated, 128 truncated, 256 crash,
    -- 512 over the parse limit
    flags     integer not null,
    preview   text not null,     -- the Summary column, at most 160 characters
    body      integer not null   -- key in `bodies`, of its first part where there are several
);
-- How a request finds its answer; the further columns let `dur:` and `status:` be judged without the answer's row.
create index records_reply_to on records (reply_to, dur_us, kind, flags) where reply_to is not null;
create index records_about on records (about, kind) where about is not null;
-- How an HTTP exchange is put together; the many frames that an event stream carries are not in it.
create index records_exchange on records (via, kind) where event = 3;

-- The bytes, apart from the rows so that filters read few pages. A body over 4 MiB is stored in parts as it arrives: its key
-- is a multiple of 2^20, from 2^40 on, and its parts have that key and those after it. Any other body has the number of its
-- record as its key. An empty one has no row. So the body of a record is
--   body between r.body and r.body + (r.body >= 1099511627776) * 1048575
create table bodies (
    body  integer primary key,
    bytes blob not null
);

-- The messages of a batch (legal in 2025-03-26 only); columns as in `records`.
create table batch_items (
    seq      integer not null,
    item     integer not null,   -- from 0
    kind     integer not null,
    method   text,
    rpc_id   text,
    reply_to integer,
    code     integer,
    flags    integer not null,
    primary key (seq, item)
) without rowid;
create index batch_items_reply_to on batch_items (reply_to, kind, flags) where reply_to is not null;

-- What the checks say of a record: derived and rebuildable.
create table findings (
    seq      integer not null,
    n        integer not null,   -- from 0
    rule     text not null,
    severity integer not null,
    path     text,
    text     text not null,
    primary key (seq, n)
) without rowid;

-- Where known secrets stood; the body holds a placeholder at that byte offset.
create table redactions (
    seq    integer not null,
    offset integer not null,
    name   text not null,
    primary key (seq, offset)
) without rowid;
