-- Paths whose changes restart the server: a JSON array of texts.
alter table servers add column watch text not null default '[]';
-- How long a request waits altogether, how long a child may take to end after its stdin was closed, and how long a server may
-- be silent at its start: milliseconds; null: the app's own choice.
alter table servers add column total_ms integer;
alter table servers add column grace_ms integer;
alter table servers add column start_ms integer;
