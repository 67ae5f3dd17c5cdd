-- When the session was moved to the trash, microseconds since the epoch. Whether it is there its file tells; this tells lists,
-- and other processes, which see that the catalogue changed.
alter table sessions add column deleted_us integer;
