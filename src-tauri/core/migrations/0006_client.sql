-- How the client shows itself to the server and what it answers by rule: a JSON object, empty for our own defaults.
alter table servers add column client text not null default '{}';
