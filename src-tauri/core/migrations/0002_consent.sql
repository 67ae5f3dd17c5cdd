-- 1: the server was pasted or imported, and the user has not confirmed that it may be started.
alter table servers add column unconfirmed integer not null default 0;
