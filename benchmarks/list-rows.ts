import pg from 'pg'

const firstNames = [
  'Anna',
  'Bert',
  'Chloé',
  'Dmitri',
  'Elif',
  'Farid',
  'Greta',
  'Hiro',
  'Ines',
  'Jörg',
  'Kofi',
  'Lena',
  'Mateo',
  'Nadia',
  'Olga',
  'Pavel',
  'Quinn',
  'Rosa',
  'Sven',
  'Tariq',
]
const lastNames = [
  'Andersson',
  'Baker',
  'Castillo',
  'Dubois',
  'Eriksen',
  'Fischer',
  'García',
  'Hansen',
  'Ivanova',
  'Jensen',
  'Kowalski',
  'Lindqvist',
  'Müller',
  'Novak',
  'Okafor',
  'Petrov',
  'Quispe',
  'Rossi',
  'Schneider',
  'Tanaka',
  'Ueda',
  'Varga',
  'Weber',
  'Xu',
  'Yilmaz',
]
const hosts = ['gmail.com', 'example.com', 'mail.example.org', 'wallet.example', 'post.example.net']

/** Every step inserts the requested number of rows, unevenly distributed over the users. */
const steps = [
  // References are correct by construction. Checking them takes longer than writing.
  'set session_replication_role = replica',
  `insert into users (id, email, first_name, last_name, alternate_id, role, email_verified_at, created_at, updated_at)
   select gen_random_uuid(),
     first || '.' || last || n || '@' || host,
     case when n % 3 > 0 then first end,
     case when n % 3 > 0 then last end,
     case when n % 10 = 0 then 'partner-' || md5(n::text) end,
     case when n % 1000 = 0 then 'Bot' else 'User' end, at, at, at
   from (
     select n, ($2::text[])[1 + n * 7 % cardinality($2)] as first,
       ($3::text[])[1 + n * 11 % cardinality($3)] as last,
       ($4::text[])[1 + n % cardinality($4)] as host,
       now() - interval '1 minute' * n as at
     from generate_series(1, $1::int) as n
   ) as people`,
  `create table buyers as
   select row_number() over () - 1 as nth, id, email from users order by id`,
  'create unique index on buyers (nth)',
  `insert into orders (user_id, status, is_current, round, method, paid_at, created_at, updated_at)
   select id, case when n % 4 = 0 then 'Cancelled' else 'Paid' end, false, 1, 'CardCheckout',
     case when n % 4 > 0 then at end, at, at
   from (select n, now() - interval '1 minute' * n as at from generate_series(1, $1::int) as n) as sales
   join buyers on nth = n::bigint * n % $1`,
  `insert into orders (user_id, status, is_current, round, created_at, updated_at)
   select id, 'Draft', true, 0, at, at
   from (select n, now() - interval '1 minute' * n as at from generate_series(1, $1::int) as n) as carts
   join buyers on nth = n - 1`,
  `insert into audit_entries (at, event, result, actor_id, subject_id)
   select at, (array['login.password', 'login.link', 'order.paid', 'account.changed'])[1 + n % 4],
     'done', id, id
   from (select n, now() - interval '1 minute' * ($1 - n) as at from generate_series(1, $1::int) as n) as entries
   join buyers on nth = n::bigint * n % $1 order by n`,
  `insert into codes (name, code_type, activator, discount_as_percentage, created_at, updated_at)
   select 'Welcome of ' || ($3::text[])[1 + n % cardinality($3)] || ' no. ' || n, 'Discount',
     'SecretKey', 10, at, at
   from (select n, now() - interval '1 minute' * n as at from generate_series(1, $1::int) as n) as gifts`,
  `insert into lootboxes (id, status, yats, prices, scores, owner_id, owner_email, sealed_seed, seed_hash,
     contents_hash, rejected, created_at, updated_at)
   select gen_random_uuid(), case when n % 3 = 0 then 'Available' else 'Owned' end, array['🦀🌴'], array[400],
     array[10], case when n % 3 = 1 then id end, case when n % 3 = 2 then lower(email) end, repeat('s', 120),
     md5('seed' || n) || md5('hash' || n), md5('what' || n) || md5('is in' || n), '[]', at, at
   from (select n, now() - interval '1 minute' * n as at from generate_series(1, $1::int) as n) as boxes
   join buyers on nth = n::bigint * n % $1`,
  'drop table buyers',
  'vacuum analyze',
  // Vacuum and checkpoint now, so that they do not run during the measurement.
  'checkpoint',
]

/**
 * Fills a migrated database with the given numbers of users, orders, audit entries, codes and
 * lootboxes.
 */
export async function fillLists(connection: pg.ClientConfig, count: number): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  const values = [count, firstNames, lastNames, hosts]
  for (const step of steps) {
    const usedNumbers = [1, 2, 3, 4].filter((n) => step.includes(`$${n}`))
    const numbered = usedNumbers.reduce(
      (text, n, at) => text.replaceAll(`$${n}`, `$${at + 1}`),
      step,
    )
    await client.query(
      numbered,
      usedNumbers.map((n) => values[n - 1]),
    )
  }
  await client.end()
}
