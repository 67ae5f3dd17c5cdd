-- The roots that the server is told, as in the result of `roots/list` (client/roots).
alter table servers add column roots text not null default '[]';
