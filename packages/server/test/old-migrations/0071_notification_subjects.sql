-- The event behind a notification that a later one about the same event replaces while it is unread.
-- Without it, another user could fill the notification centre of an account.
alter table notifications add column subject text check (length(subject) <= 200);
