-- How a server's connection is kept. 1: it is made again, with growing pauses, where the server ends it.
alter table servers add column reconnect integer not null default 0;
-- A file of certificates (PEM) of authorities that are trusted besides the machine's own, over HTTP; null: none.
alter table servers add column ca text;
