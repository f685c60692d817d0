-- Links with which a mailbox objects to what happens in its account name that mailbox: after a change
-- of the address, a former mailbox keeps its own for a time.
update links set data = links.data || jsonb_build_object('email', users.email)
from users
where users.id = links.user_id and users.email is not null and links.used_at is null
  and links.purpose in ('undo_records', 'not_me', 'cancel_change', 'keep_delay')
  and not links.data ? 'email';
