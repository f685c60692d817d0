import { randomBytes } from 'node:crypto'
import { recordHash, type Tag } from '@emojid/core'
import pg from 'pg'
import { cheapId, syntheticId } from './directory.ts'
import type { Facts } from './worst-requests.ts'

export const operator = { email: 'operator@example.com', password: 'seven blue herons at dawn' }
const owner = { email: 'owner@example.com', password: 'seven blue herons at dawn' }
const from = { 'x-forwarded-for': '192.0.2.1' }
const [large, legacy] = [syntheticId(600), syntheticId(601)]

type Json = { access_token: string; id: string; client_id: string; order_items: { id: string }[] }

/** Fills everything that an account can store to its limit, beside rows from before the limits. */
export async function fillToLimits(connection: pg.ClientConfig, url: string): Promise<Facts> {
  const client = new pg.Client(connection)
  await client.connect()
  const call = async (method: string, path: string, body: unknown, token?: string) => {
    const authorization = token ? { authorization: `Bearer ${token}` } : {}
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...from, ...authorization },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Json
  }
  await call('POST', '/users', owner)
  await client.query('update users set email_verified_at = now() where email = $1', [owner.email])
  const { access_token: ownerToken } = await call('POST', '/auth/token', owner)
  const { access_token: operatorToken } = await call('POST', '/auth/token', operator)
  const { rows } = await client.query(
    'select u.id, k.pubkey from users u join keys k on k.user_id = u.id where u.email = $1',
    [owner.email],
  )
  const [{ id: user_id, pubkey }] = rows
  await client.query('update emoji_ids set pubkey = $1 where emoji_id = any ($2)', [
    pubkey,
    [...Array.from({ length: 1_000 }, (_, n) => syntheticId(5_000 + n)), large, legacy],
  ])
  await fillRecords(client, user_id)
  await fillStore(client)
  const picture = await fillPicture(client)
  await client.query(
    `insert into notifications (user_id, kind, title, text, page, created_at)
     select $1, 'account', repeat('t', 200), repeat('x', 1000), '/account', now()
     from generate_series(1, 200)`,
    [user_id],
  )
  await client.query(
    `insert into audit_entries (at, event, result, actor_id, subject_id, details)
     select now(), 'records.changed', 'done', $1, $1,
       jsonb_build_object('emoji_id', $2::text, 'inserted', repeat(md5(n::text), 7500))
     from generate_series(1, 200) as n`,
    [user_id, large],
  )
  const organization = await call(
    'POST',
    '/admin/organizations',
    { name: 'Abuse', partner_path: 'abuse' },
    operatorToken,
  )
  const member = `/admin/organizations/${organization.id}/members/${user_id}`
  await call('PUT', member, { role: 'OrgOwner' }, operatorToken)
  await call(
    'PUT',
    `/organizations/${organization.id}/branding`,
    { currencies: ['BTC', 'ETH'], return_link: `https://example.com/${'x'.repeat(2_000)}` },
    operatorToken,
  )
  const application = await call(
    'POST',
    '/admin/oauth_clients',
    {
      organization_id: organization.id,
      name: 'Abuse',
      redirect_uris: Array.from({ length: 20 }, (_, n) => `https://example.com/${n}`),
    },
    operatorToken,
  )
  for (let n = 0; n < 20; n++) {
    const url = `https://93.184.216.34/${n}${'x'.repeat(1_000)}`
    await call('POST', '/webhook_endpoints', { url }, ownerToken)
  }
  const objects = await fillObjects(client, user_id)
  const { id: lootbox } = await call(
    'POST',
    '/lootboxes',
    { status: 'Draft', yats: Array.from({ length: 20 }, (_, n) => cheapId(2_000 + n)) },
    operatorToken,
  )
  const owned = { owner_id: user_id, status: 'Owned' }
  await call('PATCH', `/lootboxes/${lootbox}`, owned, operatorToken)
  const key = await call('POST', '/api_keys', { name: 'x'.repeat(100) }, ownerToken)
  const items = Array.from({ length: 100 }, (_, n) => ({ emoji_id: cheapId(n) }))
  const cart = await call('POST', '/cart', { items }, ownerToken)
  const fresh = await fillFresh(client, user_id, organization.id)
  await client.end()
  return {
    large,
    legacy,
    ordinary: Array.from({ length: 1_000 }, (_, n) => syntheticId(2_000 + n)),
    forSale: Array.from({ length: 500 }, (_, n) => cheapId(1_000 + n)),
    ownerToken,
    operatorToken,
    picture,
    applicationId: application.client_id,
    objects: {
      ...objects,
      lootboxes: lootbox,
      users: user_id,
      api_keys: key.id,
      organizations: organization.id,
      oauth_clients: application.client_id,
      cart_items: cart.order_items[0]?.id ?? '',
      pubkeys: pubkey,
    },
    fresh: {
      ...fresh,
      'DELETE /api/cart/cart_items/:cart_item_id': cart.order_items.map(({ id }) => id),
    },
  }
}

const record = (tag: string, data: string) => ({ tag, data, hash: recordHash(tag as Tag, data) })

/** Payable records, since views and pages read those: 64 kB, 1.6 MB and 100 states of 64 kB. */
async function fillRecords(client: pg.Client, user_id: string): Promise<void> {
  const token = (n: number, length: number) =>
    record('0x6300', `0x${String(n).padStart(40, '0')}|TOK${n}|${'y'.repeat(length)}|ETH`)
  const sets = [
    [large, Array.from({ length: 200 }, (_, n) => token(n, 140))],
    [legacy, Array.from({ length: 200 }, (_, n) => token(n, 8_000))],
  ] as const
  for (const [emoji_id, records] of sets)
    await client.query('update record_sets set records = $2 where emoji_id = $1', [
      emoji_id,
      JSON.stringify(records),
    ])
  await client.query(
    `insert into record_history (emoji_id, version, changed_at, actor_id, records, linked)
     select emoji_id, nextval('record_versions'), now(), $2, records, '{}'
     from record_sets, generate_series(1, 100) where emoji_id = $1`,
    [large, user_id],
  )
}

/** Store entries of 256,000 bytes, with 5,000 texts that look like links and are none. */
async function fillStore(client: pg.Client): Promise<void> {
  const links = Array.from({ length: 4_900 }, (_, n) => `https://[${n} `.padEnd(46, 'x'))
  const data = {
    SvcPageData: {
      title: 'x'.repeat(4_000),
      text: 'y'.repeat(60_000),
      links: links.slice(0, 3_000),
    },
    SvcLinkData: links,
    VisualizerData: { theme: 'dawn', list: links },
  }
  for (const emoji_id of [large, legacy])
    for (const [key, value] of Object.entries(data))
      await client.query(
        `insert into store_entries (emoji_id, key, data, created_at, updated_at)
         values ($1, $2, $3, now(), now())`,
        [emoji_id, key, JSON.stringify(value)],
      )
}

const pictureBytes = 2_000_000

async function fillPicture(client: pg.Client): Promise<string> {
  const sha256 = randomBytes(32).toString('hex')
  await client.query(
    `insert into pictures (emoji_id, format, sha256, drawing_sha256, content, created_at)
     values ($1, 'gif', $2, $2, $3, now())`,
    [large, sha256, randomBytes(pictureBytes)],
  )
  return `${sha256}.gif`
}

/** Keys, interests, webhook endpoints and deliveries at their caps, and long lists of the rest. */
async function fillObjects(client: pg.Client, user_id: string): Promise<Record<string, string>> {
  const insert = async (statement: string, ...values: unknown[]): Promise<string> => {
    const { rows } = await client.query(`${statement} returning id`, [user_id, ...values])
    return rows[0].id
  }
  await insert(
    `insert into api_keys (id, user_id, name, scopes, token_sha256, with_second_factor, created_at)
     select gen_random_uuid(), $1, repeat('x', 100), '{}', sha256(n::text::bytea), false, now()
     from generate_series(1, 99) as n`,
  )
  await insert(
    `insert into interests (user_id, emoji_id, created_at, updated_at)
     select $1, emoji_id, now(), now() from unnest($2::text[]) as emoji_id`,
    Array.from({ length: 200 }, (_, n) => syntheticId(8_000 + n)),
  )
  const webhook_endpoints = await insert(
    `update webhook_endpoints set is_healthy = true
     where id = (select id from webhook_endpoints where user_id = $1 order by id limit 1)`,
  )
  const deliveries = await insert(
    `insert into webhook_deliveries
       (endpoint_id, event_id, number, type, payload, status, due_at, created_at)
     select e.id, 'event ' || n, n, 'order.paid', repeat('x', 2000), 'failed', now(), now()
     from webhook_endpoints e, generate_series(1, 1000) as n where e.user_id = $1`,
  )
  const transfer = (status: string, emoji_id: string, times: number, isIncoming = false) =>
    insert(
      `insert into transfers (emoji_id, status, sender_id, recipient_id, email, message,
         clear_on_transfer, code_hmac, code_sent_at, created_at, sender_code_accepted_at, accepted_at)
       select $2, $3, case when $4 then other.id else $1 end, case when $4 then $1 else other.id end,
         'receiver@example.com', repeat('x', 200), false, sha256(''), now() - interval '1 hour',
         now(), now(), case when $3 = 'accepted' then now() end
       from (select id from users where id <> $1 order by created_at limit 1) as other,
         generate_series(1, $5)`,
      emoji_id,
      status,
      isIncoming,
      times,
    )
  await transfer('accepted', syntheticId(7_000), 2_000)
  const transfers = await transfer('awaiting_sender', syntheticId(5_999), 1)
  const incoming = await transfer('awaiting_receiver', syntheticId(7_001), 1, true)
  const orders = await insert(
    `insert into orders (user_id, status, is_current, is_filled, round, method, paid_at,
       created_at, updated_at)
     select $1, 'Paid', false, true, 1, 'Cash', now(), now(), now() from generate_series(1, 100)`,
  )
  await client.query(
    `insert into order_items (order_id, item_type, emoji_id, display_format, unit_price_in_cents,
       rhythm_score, created_at, updated_at)
     select o.id, 'EmojiId', one, one, 400, 1, now(), now()
     from orders o, unnest($2::text[]) as one where o.user_id = $1 and o.status = 'Paid'`,
    [user_id, Array.from({ length: 100 }, (_, n) => cheapId(3_000 + n))],
  )
  return { webhook_endpoints, deliveries, transfers, incoming, orders }
}

/** Objects for the requests that succeed once for each, as many as an account can have or make soon. */
async function fillFresh(
  client: pg.Client,
  user_id: string,
  organization_id: string,
): Promise<Record<string, string[]>> {
  const list = async (statement: string, ...values: unknown[]): Promise<string[]> => {
    const { rows } = await client.query({ text: statement, values, rowMode: 'array' })
    return rows.map(([id]) => id)
  }
  const ids = (first: number) => Array.from({ length: 200 }, (_, n) => syntheticId(first + n))
  const organizations = (name: string) =>
    list(
      `insert into organizations (name, created_at, updated_at)
       select $1 || n, now(), now() from generate_series(1, 50) as n returning id`,
      name,
    )
  const invitations = async (name: string) =>
    list(
      `insert into organization_invitations
         (organization_id, email, role, invited_by, created_at, expires_at)
       select one, $2, 'OrgMember', (select id from users where id <> $3 limit 1), now(),
         now() + interval '7 days' from unnest($1::uuid[]) as one returning id`,
      await organizations(name),
      owner.email,
      user_id,
    )
  const memberships = async (name: string, accepted: boolean) =>
    list(
      `insert into organization_members (organization_id, user_id, role, created_at, accepted_at)
       select one, $2, 'OrgMember', now(), case when $3 then now() end
       from unnest($1::uuid[]) as one returning organization_id`,
      await organizations(name),
      user_id,
      accepted,
    )
  return {
    'DELETE /api/api_keys/:id': await list(
      `select id from api_keys where user_id = $1 order by created_at limit 99`,
      user_id,
    ),
    'DELETE /api/account/sessions/:id': await list(
      `insert into sessions
         (user_id, epoch, user_agent, created_at, last_used_at, expires_at, logged_in_at)
       select id, epoch, repeat('x', 200), now(), now(), now() + interval '30 days', now()
       from users, generate_series(1, 90) where id = $1 returning id`,
      user_id,
    ),
    'DELETE /api/user_interests/:emoji_id': ids(8_000),
    'DELETE /api/webhook_endpoints/:id': await list(
      `select id from webhook_endpoints where user_id = $1 order by id desc limit 18`,
      user_id,
    ),
    'DELETE /api/transfers/:transfer_id': await list(
      `insert into transfers (emoji_id, status, sender_id, recipient_id, email, clear_on_transfer,
         code_hmac, code_sent_at, created_at)
       select one, 'awaiting_sender', $1, (select id from users where id <> $1 limit 1),
         'receiver@example.com', false, sha256(''), now(), now()
       from unnest($2::text[]) as one returning id`,
      user_id,
      ids(5_100),
    ),
    'DELETE /api/emoji_id/:emoji_id/waiting_change': await list(
      `insert into waiting_changes (emoji_id, removed, inserted, actor_id, asked_at, changes_at)
       select one, '[]', '[]', $1, now(), now() + interval '1 day'
       from unnest($2::text[]) as one returning emoji_id`,
      user_id,
      ids(5_300),
    ),
    'DELETE /api/account/invitations/:invitation_id': await invitations('Declined '),
    'POST /api/account/invitations/:invitation_id/accept': await invitations('Accepted '),
    'DELETE /api/organizations/:id/membership': await memberships('Left ', true),
    'POST /api/organizations/:id/membership/accept': await memberships('Joined ', false),
    'DELETE /api/admin/organizations/:id/invitations/:invitation_id': await list(
      `insert into organization_invitations
         (organization_id, email, role, invited_by, created_at, expires_at)
       select $1, 'invited-' || n || '@example.com', 'OrgMember', $2, now(),
         now() + interval '7 days' from generate_series(1, 50) as n returning id`,
      organization_id,
      user_id,
    ),
    'DELETE /api/admin/organizations/:id/members/:user_id': await list(
      `with added as (
         insert into users (email, email_verified_at, created_at, updated_at)
         select 'member-' || n || '@example.com', now(), now(), now()
         from generate_series(1, 100) as n returning id)
       insert into organization_members (organization_id, user_id, role, created_at, accepted_at)
       select $1, id, 'OrgMember', now(), now() from added returning user_id`,
      organization_id,
    ),
    'DELETE /api/admin/oauth_clients/:id': await list(
      `insert into oauth_clients
         (id, organization_id, name, redirect_uris, created_at, updated_at)
       select 'removed-' || n, $1, 'Abuse', '{https://example.com/}', now(), now()
       from generate_series(1, 50) as n returning id`,
      organization_id,
    ),
    'DELETE /api/account/applications/:client_id': await list(
      `with added as (
         insert into oauth_clients
           (id, organization_id, name, redirect_uris, created_at, updated_at)
         select 'connected-' || n, $1, 'Abuse', '{https://example.com/}', now(), now()
         from generate_series(1, 50) as n returning id)
       insert into oauth_grants
         (client_id, user_id, emoji_id, epoch, created_at, last_used_at, expires_at)
       select added.id, users.id, $3, users.epoch, now(), now(), now() + interval '30 days'
       from added, users where users.id = $2 returning client_id`,
      organization_id,
      user_id,
      large,
    ),
    'DELETE /api/wallets/:eth_address': await list(
      `insert into wallets (user_id, eth_address, source, created_at)
       select $1, '0x' || lpad(to_hex(n), 40, '0'), 'metamask', now()
       from generate_series(1, 20) as n returning eth_address`,
      user_id,
    ),
  }
}
