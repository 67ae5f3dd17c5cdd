-- The catalogue, DATA/framescope.db: what lists need of servers and sessions. Written in small transactions by any
-- process. What it says of sessions is copied from the session files and rebuilt from them if lost.

create table servers (
    id         text primary key,           -- UUID
    name       text not null unique,
    config     text not null,              -- JSON as in `mcpServers` files; references, never the values of secrets
    era        text not null,              -- auto, legacy, modern or a revision
    timeout_ms integer not null,
    position   integer not null,           -- place in lists, smallest first
    demo       integer not null            -- 1: the built-in demo server
);

create table sessions (
    id          text primary key,          -- UUIDv7: sorts by time
    server      text,                      -- the server at the time; it may be gone
    server_name text not null,
    number      integer not null,          -- per server, from 1; never used again
    name        text,
    origin      text not null,             -- app, cli, import
    started_us  integer not null,
    ended_us    integer,                   -- missing while it lives, or when its recorder died
    owner_gone  integer not null default 0,
    records     integer not null default 0,
    frames      integer not null default 0,
    bytes       integer not null default 0,
    errors      integer not null default 0,
    era         text,
    revision    text,
    peer        text,                      -- name and version that the server gave itself
    outcome     text,                      -- how it ended, in two words
    crashed     integer not null default 0,
    pinned      integer not null default 0,
    tags        text not null default '[]', -- JSON
    previous    text,
    config      text not null              -- JSON
);
create index sessions_started on sessions (started_us);
create index sessions_server on sessions (server, server_name, number);
