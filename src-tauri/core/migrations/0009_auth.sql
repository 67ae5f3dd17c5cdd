-- How to sign in to the server: a JSON object, empty for what its metadata tells. Secrets are references.
alter table servers add column auth text not null default '{}';
