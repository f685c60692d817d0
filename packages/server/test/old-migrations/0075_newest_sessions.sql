-- A sign-in reads the newest sessions of the account, also ended ones.
create index sessions_user_id_created_at on sessions (user_id, created_at);
