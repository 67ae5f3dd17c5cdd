-- 1: its process ended, or was silent, when it was asked server/discover, and then took initialize in a new process: in
-- the era `auto` it is asked initialize at once. Until its configuration changes.
alter table servers add column no_probe integer not null default 0;
