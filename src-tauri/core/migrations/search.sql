-- The full-text index over all sessions, DATA/search.db. Derived from the session files: whoever deletes it loses nothing, and
-- the app makes it again. It tells which blocks of records may hold a text; the records themselves decide.
pragma user_version = 1;

-- The index comes in parts, so that what is old or was deleted goes as a whole: part N is the table `text_N`, trigrams of its
-- blocks without their places (fts5, contentless, detail none).
create table parts (
    part  integer primary key,
    bytes integer not null      -- of text that was put in
);

-- Whose text is in which part, also where its blocks are not used any more.
create table holds (
    part    integer not null,
    session text not null,
    primary key (part, session)
) without rowid;

-- Some records in a row; the id is that of the row in its part. Records that are in no block are looked at one by one.
create table blocks (
    id      integer primary key,
    part    integer not null,
    session text not null,
    first   integer not null,
    last    integer not null
);
create index blocks_session on blocks (session, first);

-- How far a session is indexed.
create table sessions (
    session text primary key,
    upto    integer not null,   -- a record's number
    done    integer not null    -- 1: it has ended, and all of it is indexed
) without rowid;
