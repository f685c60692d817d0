// The worst request that a stranger, an owner or an operator can send to each route of the service.
// A route without an entry fails packages/server/test/worst-requests.test.ts.
import {
  describedOperations,
  exampleOf,
  type Operation,
  type Schema,
} from '../packages/server/test/support/from-schema.ts'

/** The data of the stage (`abuse-stage.ts`), filled to the limits. */
export type Facts = {
  /** An id with records of 64 kB, and one of 1.6 MB from before the limit. */
  large: string
  legacy: string
  /** Ids without anything special. */
  ordinary: string[]
  forSale: string[]
  ownerToken: string
  operatorToken: string
  picture: string
  applicationId: string
  /** Objects of the owner, by the segment of the path before their id. */
  objects: Record<string, string>
  /** By route, the last parameter of requests that succeed once each. */
  fresh: Record<string, string[]>
}

type Worst = {
  by?: 'owner' | 'operator'
  /** Instead of the route with its parameters filled. */
  path?: string
  query?: string
  body?: unknown
  /** Sent as it is. */
  text?: string
  type?: string
  headers?: Record<string, string>
}
/** Kinds of requests; a kind can be a list of requests that no cache has seen. */
type Kinds = Worst | (Worst | Worst[])[]
type Entry = Worst | ((facts: Facts) => Kinds) | { exempt: string }

const forEach = (entry: Entry, routes: string): Record<string, Entry> =>
  Object.fromEntries(
    routes
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((route) => [route, entry]),
  )

export const operatorsOnly = 'Only operators reach it.'
const fileOfBuild = 'A file of the build, sent as it is stored.'
const ofDemonstration = 'Only the demonstration has it.'
const refusedMethod = 'Refuses the method without reading anything.'

const kilobytes = (count: number): string => 'x'.repeat(count * 1_000)
const path = encodeURIComponent
const idPath = (id: string, rest = ''): string => `/api/emoji_id/${path(id)}${rest}`
const longCookie = { cookie: `a=${kilobytes(7)}; ${'b=%zz; '.repeat(700)}` }
const junkForm = `token=${kilobytes(1)}&code=${kilobytes(1)}&email=a%40example.com&password=${kilobytes(1)}&${'m=1&'.repeat(2_800)}`
const form = 'application/x-www-form-urlencoded'
const junkMembers = { token: kilobytes(1), code: kilobytes(1), list: Array(1_500).fill(1) }
const records = (count: number, length: number) =>
  Array.from({ length: count }, (_, n) => ({ tag: '0x4002', data: `${n} `.padEnd(length, 'x') }))
const unknownHashes = Array.from({ length: 500 }, (_, n) => String(n).padStart(64, 'f'))
const manyTags = Array.from(
  { length: 1_500 },
  (_, n) => `0x${(n + 1).toString(16).padStart(4, '0')}`,
)
/** A kind of requests that no cache has seen. */
const unique = (request: (n: number) => Worst): Worst[][] => [
  Array.from({ length: 500 }, (_, n) => request(n)),
]

/**
 * The requests by route; a function gets what the stage has filled. Without a body here, the request has the
 * largest of the schema.
 */
export const worstRequests: Record<string, Entry> = {
  ...forEach(
    {},
    `
    GET /api/auth/jwks
    GET /api/docs
    GET /api/docs/
    GET /api/docs/json
    GET /api/docs/static/index.html
    GET /api/docs/static/swagger-initializer.js
    GET /api/docs/yaml
    GET /api/emoji
    GET /api/emoji_id/
    GET /api/emoji_id/:emoji_id/history
    GET /api/emoji_id/:emoji_id/json/:key
    GET /api/emoji_id/:emoji_id/metadata
    GET /api/emoji_id/:emoji_id/proof
    GET /api/emoji_id/:emoji_id/rhythm
    GET /api/lootboxes/:id/proof
    GET /api/nft_transfers/metadata/:token_id
    GET /api/openapi.json
    GET /api/organizations/:id/branding
    GET /api/tags
    POST /api/account/2fa/backup_disable
    POST /api/auth/2fa
    POST /api/auth/exchange
    POST /api/auth/magic_link
    POST /api/auth/password_reset
    POST /api/auth/token/refresh
    POST /api/emoji_id/:emoji_id/reports
    `,
  ),
  ...forEach(
    { by: 'owner' },
    `
    DELETE /api/account/invitations/:invitation_id
    DELETE /api/admin/organizations/:id/invitations/:invitation_id
    DELETE /api/organizations/:id/membership
    GET /api/account/invitations
    GET /api/admin/organizations/:id/invitations
    POST /api/account/invitations/:invitation_id/accept
    POST /api/admin/organizations/:id/invitations
    POST /api/organizations/:id/membership/accept
    POST /api/wallets/challenge
    DELETE /api/account/2fa/recovery
    DELETE /api/account/applications/:client_id
    DELETE /api/account/sessions/:id
    DELETE /api/admin/codes/:id
    DELETE /api/admin/oauth_clients/:id
    DELETE /api/admin/oauth_clients/:id/secrets/:secret_id
    DELETE /api/admin/organizations/:id/members/:user_id
    DELETE /api/api_keys/:id
    DELETE /api/cart
    DELETE /api/cart/cart_items/:cart_item_id
    DELETE /api/cart/promo_code/:code_id
    DELETE /api/codes/:code_id/pubkeys/:pubkey
    DELETE /api/emoji_id/:emoji_id/waiting_change
    DELETE /api/payment_methods/:id
    DELETE /api/transfers/:transfer_id
    DELETE /api/user_interests/:emoji_id
    DELETE /api/users/:user_id
    DELETE /api/wallets/:eth_address
    DELETE /api/webhook_endpoints/:id
    GET /api/account
    GET /api/account/2fa/recovery
    GET /api/account/applications
    GET /api/account/export
    GET /api/account/load
    GET /api/account/notifications
    GET /api/account/pubkeys
    GET /api/account/sessions
    GET /api/admin/oauth_clients
    GET /api/admin/oauth_clients/:id
    GET /api/admin/oauth_clients/export
    GET /api/admin/organizations/:id
    GET /api/admin/organizations/:id/members
    GET /api/admin/organizations/:id/members/export
    GET /api/api_keys
    GET /api/cart
    GET /api/codes
    GET /api/codes/export
    GET /api/emoji_id
    GET /api/emoji_id/:emoji_id/delay_lock
    GET /api/emoji_id/:emoji_id/stats
    GET /api/emoji_id/extended
    GET /api/lootboxes
    GET /api/lootboxes/:id
    GET /api/lootboxes/export
    GET /api/orders
    GET /api/orders/:id
    GET /api/orders/:id/refunds
    GET /api/orders/export
    GET /api/organizations
    GET /api/payment_methods
    GET /api/pubkeys
    GET /api/transfers
    GET /api/transfers/export
    GET /api/transfers/incoming
    GET /api/user_features
    GET /api/user_interests
    GET /api/user_interests/:emoji_id
    GET /api/user_interests/export
    GET /api/users/:user_id
    GET /api/users/:user_id/pubkeys
    GET /api/wallets
    GET /api/webhook_endpoints
    GET /api/webhook_endpoints/:id
    GET /api/webhook_endpoints/:id/deliveries
    GET /api/webhook_endpoints/:id/deliveries/export
    GET /api/webhook_endpoints/export
    PATCH /api/account
    PATCH /api/admin/codes/:id
    PATCH /api/admin/oauth_clients/:id
    PATCH /api/admin/organizations/:id
    POST /api/account/2fa
    POST /api/account/2fa/confirm
    POST /api/account/2fa/disable
    POST /api/account/2fa/enable
    POST /api/account/2fa/sms_code
    POST /api/account/notifications/read
    POST /api/admin/codes
    POST /api/admin/oauth_clients
    POST /api/admin/oauth_clients/:id/secrets
    POST /api/api_keys
    POST /api/cart/checkout/:id
    POST /api/cart/convert_to_draft
    POST /api/cart/promo_code
    POST /api/codes/:code_id/pubkeys/:pubkey
    POST /api/codes/:code_id/random_yat
    POST /api/emoji_id/:emoji_id/generate_signature
    POST /api/lootboxes/:id/open
    POST /api/orders/:id/refund_request
    POST /api/orders/:id/resend_confirmation
    POST /api/payment_methods/:id/default
    POST /api/pubkeys
    POST /api/pubkeys/:pubkey
    POST /api/pubkeys/:pubkey/prove
    POST /api/transfers/:transfer_id/resend_code
    POST /api/transfers/:transfer_id/sender_accept
    POST /api/transfers/incoming/confirm_email
    POST /api/wallets
    POST /api/webhook_endpoints/:id/deliveries/:delivery_id/redeliver
    POST /api/webhook_endpoints/:id/replay
    POST /api/webhook_endpoints/:id/rotate
    POST /api/webhook_endpoints/:id/test
    PUT /api/admin/organizations/:id/members/:user_id
    PUT /api/emoji_id/:emoji_id/delay_lock
    `,
  ),
  ...forEach(
    { exempt: operatorsOnly },
    `
    DELETE /api/admin/emoji_ids/:emoji_id
    DELETE /api/admin/jobs/:id
    DELETE /api/admin/reserved_ids
    DELETE /api/lootboxes/:id
    GET /api/admin/codes/:id/uses
    GET /api/admin/codes/:id/uses/export
    GET /api/admin/emoji_ids/:emoji_id
    GET /api/admin/emoji_ids/:emoji_id/suspension
    GET /api/admin/features
    GET /api/admin/figures
    GET /api/admin/job_tasks
    GET /api/admin/jobs
    GET /api/admin/jobs/export
    GET /api/admin/orders/:id/books
    GET /api/admin/organizations
    GET /api/admin/organizations/export
    GET /api/admin/prices
    GET /api/admin/reports
    GET /api/admin/reports/:id
    GET /api/admin/reports/export
    GET /api/admin/reserved_ids
    GET /api/admin/reserved_ids/csv
    GET /api/admin/reserved_ids/export
    GET /api/admin/suspensions
    GET /api/admin/suspensions/export
    GET /api/admin/tokens
    GET /api/admin/tokens/export
    GET /api/admin/users/:id/features
    GET /api/admin/webhook_endpoints
    GET /api/admin/webhook_endpoints/:id
    GET /api/admin/webhook_endpoints/:id/deliveries
    GET /api/admin/webhook_endpoints/:id/deliveries/export
    GET /api/admin/webhook_endpoints/export
    GET /api/disputes
    GET /api/disputes/:id
    GET /api/disputes/export
    GET /api/lootbox_type
    GET /api/lootbox_type/export
    GET /api/refunds
    GET /api/refunds/export
    GET /api/users
    GET /api/users/export
    PATCH /api/admin/webhook_endpoints/:id
    PATCH /api/lootboxes/:id
    PATCH /api/users/:user_id
    POST /api/admin/emoji_ids
    POST /api/admin/emoji_ids/:emoji_id/restore
    POST /api/admin/emoji_ids/:emoji_id/suspend
    POST /api/admin/jobs/:id/retry
    POST /api/admin/organizations
    POST /api/admin/prices
    POST /api/admin/reports/:id/decide
    POST /api/admin/reserved_ids/import
    POST /api/admin/users/:id/activate
    POST /api/admin/users/:id/deactivate
    POST /api/admin/users/:id/remove_2fa
    POST /api/disputes/:id/leave
    POST /api/disputes/:id/take_back
    POST /api/lootbox_type
    POST /api/lootbox_type/generate
    POST /api/lootboxes
    POST /api/orders/:id/misc_refund
    POST /api/orders/:id/payment_override
    POST /api/orders/:id/refund
    POST /api/orders/:id/refund_request/decline
    POST /api/refunds/:id/given
    POST /api/users/:user_id/pubkeys/:pubkey
    PUT /api/admin/emoji_ids/:emoji_id/json/:key/lock
    PUT /api/admin/emoji_ids/:emoji_id/minted
    PUT /api/admin/users/:id/features
    `,
  ),
  ...forEach(
    { headers: longCookie },
    `
    GET /
    GET /.well-known/oauth-authorization-server/auth
    GET /.well-known/security.txt
    GET /account
    GET /account*
    GET /admin
    GET /admin*
    GET /art/directory.png
    GET /auth
    GET /auth/
    GET /auth/.well-known/oauth-authorization-server
    GET /auth/authorize/cancel
    GET /auth/authorize/code
    GET /auth/authorize/first_password
    GET /auth/authorize/leave
    GET /auth/authorize/link
    GET /auth/authorize/password
    GET /auth/authorize/resume
    GET /auth/authorize/sms
    GET /auth/cancel_change
    GET /auth/change_email
    GET /auth/confirm_email
    GET /auth/end_interest
    GET /auth/first_password
    GET /auth/jwks
    GET /auth/keep_delay
    GET /auth/lost_factor
    GET /auth/magic_link
    GET /auth/not_me
    GET /auth/recover_factor
    GET /auth/recover_factor/finish
    GET /auth/reset_password
    GET /auth/undo_change
    GET /cart
    GET /checkout
    GET /favicon.ico
    GET /gift
    GET /health/live
    GET /health/ready
    GET /orders/:id
    GET /partner/:path
    GET /partner/:path/
    GET /partner/:path/link-email
    GET /partner/:path/link-email/
    GET /partner/:path/manage
    GET /partner/:path/manage/
    GET /robots.txt
    GET /session/hand-over
    GET /session/passkeys
    GET /sign-in
    GET /sitemap.xml
    `,
  ),
  ...forEach(
    { text: junkForm, type: form },
    `
    POST /auth/authorize/code
    POST /auth/authorize/first_password
    POST /auth/authorize/leave
    POST /auth/authorize/link
    POST /auth/authorize/password
    POST /auth/authorize/sms
    POST /auth/cancel_change
    POST /auth/change_email
    POST /auth/confirm_email
    POST /auth/confirm_email/disown
    POST /auth/end_interest
    POST /auth/first_password
    POST /auth/first_password/skip
    POST /auth/hand_over
    POST /auth/keep_delay
    POST /auth/lost_factor
    POST /auth/magic_link
    POST /auth/magic_link/again
    POST /auth/not_me
    POST /auth/recover_factor
    POST /auth/recover_factor/finish
    POST /auth/reset_password
    POST /auth/revoke
    POST /auth/sign_out
    POST /auth/signed_in
    POST /auth/undo_change
    `,
  ),
  ...forEach(
    { body: junkMembers },
    `
    POST /session/password
    DELETE /session
    DELETE /session/owing
    PATCH /session/passkeys/:id
    POST /gift/decline
    POST /gift/join
    POST /gift/look
    POST /partner/:path/confirm
    POST /partner/:path/return
    POST /partner/:path/visit
    POST /session
    POST /session/arrival
    POST /session/arrive
    POST /session/code
    POST /session/leave
    POST /session/owing
    POST /session/owing/code
    POST /session/passkey
    POST /session/passkey/confirm
    POST /session/passkey/confirm/options
    POST /session/passkey/options
    POST /session/passkeys
    POST /session/passkeys/:id/confirm
    POST /session/passkeys/:id/remove
    POST /session/passkeys/options
    POST /session/token
    `,
  ),
  ...forEach(
    { exempt: fileOfBuild },
    `
    GET /assets/demo-{hash}.js
    GET /assets/id-{hash}.js
    GET /assets/start-{hash}.js
    `,
  ),
  ...forEach(
    { exempt: ofDemonstration },
    `
    GET /dev
    GET /dev/
    GET /dev/callback
    GET /dev/logged-in
    GET /dev/login
    GET /dev/mail.json
    GET /dev/return
    GET /dev/wallet
    GET /dev/wallet.js
    `,
  ),
  ...forEach(
    { exempt: refusedMethod },
    `
    DELETE /auth/revoke
    DELETE /auth/token
    GET /auth/revoke
    GET /auth/token
    OPTIONS /auth/revoke
    OPTIONS /auth/token
    PATCH /auth/revoke
    PATCH /auth/token
    PUT /auth/revoke
    PUT /auth/token
    `,
  ),
  'GET /api/docs/*': { path: `/api/docs/${'a/'.repeat(5_000)}` },
  'GET /api/emoji_id/:emoji_id': ({ large, legacy }) => [
    { path: idPath(large) },
    { path: idPath(legacy) },
    { path: idPath(legacy, `?tags=${manyTags.slice(0, 200)}`) },
    { path: idPath(legacy, `?tags=${manyTags}`) },
  ],
  'GET /api/emoji_id/:emoji_id/:tag': ({ large, legacy }) => [
    { path: idPath(large, '/USDC') },
    ...unique((n) => ({ path: idPath(legacy, `/X${n}`) })),
  ],
  'GET /api/emoji_id/:emoji_id/payment': ({ large, legacy }) => [
    ...unique((n) => ({ path: idPath(large, `/payment?token=T${n}&network=ETH`) })),
    ...unique((n) => ({ path: idPath(legacy, `/payment?token=T${n}&network=ETH`) })),
  ],
  'GET /api/emoji_id/:emoji_id/json': ({ large }) => ({
    path: idPath(large, '/json?keys=SvcPageData,SvcLinkData,VisualizerData'),
  }),
  'GET /api/emoji_id/search': ({ forSale }) =>
    unique((n) => ({ path: `/api/emoji_id/search?emoji_id=${path(forSale[n] ?? '')}` })),
  'GET /api/emoji_id/random': { query: 'count=100' },
  'GET /api/emoji_id/recent': { query: 'count=100' },
  'POST /api/emoji_id/lookup': ({ large, legacy, ordinary }) => [
    { body: { emoji_ids: ordinary.slice(0, 1_000) } },
    { body: { emoji_ids: Array(1_000).fill(large) } },
    { body: { emoji_ids: [large, legacy, ...ordinary.slice(0, 3)], tags: manyTags.slice(0, 200) } },
  ],
  'POST /api/transfers': ({ large }) =>
    unique((n) => ({
      by: 'owner',
      body: { eid: large, email: `friend-${n}@example.com`, message: kilobytes(0.2) },
    })),
  'POST /api/webhook_endpoints': () =>
    unique((n) => ({ by: 'owner', body: { url: `https://example.com/${n}`, types: [] } })),
  'PATCH /api/webhook_endpoints/:id': { by: 'owner', body: { types: ['order.paid'] } },
  'POST /api/transfers/:transfer_id/receiver_accept': ({ objects }) => ({
    by: 'owner',
    path: `/api/transfers/${objects['incoming']}/receiver_accept`,
    body: { code: 'ABCD2345' },
  }),
  'POST /api/events/watch': ({ ordinary }) => ({ body: { emoji_ids: ordinary.slice(0, 1_000) } }),
  'GET /api/events': ({ ordinary }) => ({
    path: `/api/events?emoji_ids=${path(ordinary.slice(0, 50).join(','))}`,
    headers: { accept: `${'text/plain,'.repeat(40)}text/html` },
  }),
  'GET /api/pictures/:file': ({ picture }) => [
    { path: `/api/pictures/${picture}` },
    { path: `/api/pictures/${picture}`, headers: { range: 'bytes=0-0' } },
    { path: `/api/pictures/${picture}`, headers: { 'if-none-match': '*' } },
  ],
  'GET /api/redirect': ({ large }) => ({
    path: `/api/redirect?emoji_id=${path(large)}&link=https://example.com/none`,
  }),
  'POST /api/webhooks/:provider': { path: '/api/webhooks/card', text: kilobytes(250) },
  'POST /api/users': () =>
    unique((n) => ({ body: { email: `new-${n}@example.com`, password: kilobytes(0.1) } })),
  'POST /api/auth/token': () =>
    unique((n) => ({ body: { email: `unknown-${n}@example.com`, password: 'not the password' } })),
  'PATCH /api/emoji_id/:emoji_id': ({ large, legacy }) => [
    { by: 'owner', path: idPath(legacy), body: { delete: unknownHashes } },
    { by: 'owner', path: idPath(large), body: { insert: records(400, 1_000) } },
    { by: 'owner', path: idPath(large), body: { delete: unknownHashes } },
  ],
  'GET /api/emoji_id/:emoji_id/changes': ({ large }) => ({
    by: 'owner',
    path: idPath(large, '/changes?limit=200'),
  }),
  'POST /api/emoji_id/:emoji_id/json/:key': ({ large }) => ({
    by: 'owner',
    path: idPath(large, '/json/SvcPageData'),
    body: { data: Array(4_900).fill('https://[') },
  }),
  'POST /api/cart': ({ forSale }) => ({
    by: 'owner',
    body: { items: forSale.slice(0, 100).map((emoji_id) => ({ emoji_id })) },
  }),
  'POST /api/cart/checkout': { by: 'owner', body: { method: 'CryptoCommerce' } },
  'POST /api/proxy': {
    by: 'owner',
    body: { service: 'Echo', data: JSON.stringify(Array(20_000).fill(1)) },
  },
  'PUT /api/organizations/:id/branding': {
    by: 'owner',
    body: {
      currencies: manyTags.slice(0, 200),
      return_link: `https://example.com/${kilobytes(2)}`,
    },
  },
  'POST /api/logout': { exempt: 'It ends the session that the measurement uses.' },
  'DELETE /api/account/sessions': { exempt: 'It ends the session that the measurement uses.' },
  'POST /api/admin/emoji_ids/import': ({ ordinary }) => ({
    by: 'owner',
    body: {
      dry_run: true,
      rows: ordinary.slice(0, 1_000).map((emoji_id) => ({ emoji_id, records: records(1, 20) })),
    },
  }),
  'DELETE /api/emoji_id/:emoji_id': { exempt: 'It removes the id that the measurement uses.' },
  'POST /api/user_interests': ({ ordinary }) =>
    unique((n) => ({ by: 'owner', body: { emoji_id: ordinary[n] } })),
  'GET /api/account/emoji_ids': {
    by: 'owner',
    query: `limit=200&search=${path('fire crab '.repeat(6))}`,
  },
  'GET /api/account/emoji_ids/export': {
    by: 'owner',
    query: `search=${path('fire crab '.repeat(6))}`,
  },
  'GET /api/admin/audit': { by: 'operator', query: 'limit=200' },
  'GET /api/admin/audit/export': { by: 'operator' },
  'GET /api/admin/emoji_ids/export': { by: 'operator', query: 'limit=200' },
  'GET /:id(.*[^\\x00-\\x7f].*)': ({ large, legacy }) => [
    { path: `/${path(large)}` },
    { path: `/${path(legacy)}` },
  ],
  'GET /:id(.*[^\\x00-\\x7f].*)*': ({ large }) => ({
    path: `/${path(large)}/${'a/'.repeat(4_000)}`,
  }),
  'GET /*': { path: `/${kilobytes(15)}` },
  'GET /art/ids/:file': ({ ordinary }) =>
    unique((n) => ({ path: `/art/ids/${path(ordinary[n] ?? '')}.png` })),
  'GET /art/:name(^[0-9a-f-]{2,40}).svg': { path: '/art/1f525.svg' },
  'GET /auth/art/:name(^[0-9a-f-]{2,40}).svg': { path: '/auth/art/1f525.svg' },
  'GET /art/sheets/:version/:name(^[a-z0-9-]{2,40}).webp': { path: '/art/sheets/none/none.webp' },
  'GET /auth/art/sheets/:version/:name(^[a-z0-9-]{2,40}).webp': {
    path: '/auth/art/sheets/none/none.webp',
  },
  'GET /find': { query: `q=${'fire,'.repeat(2_900)}` },
  'POST /auth/token': ({ applicationId }) => ({
    text: `grant_type=authorization_code&client_id=${applicationId}&${junkForm}`,
    type: form,
  }),
  'GET /auth/authorize': ({ applicationId }) => ({
    query: `client_id=${applicationId}&response_type=code&redirect_uri=https://example.com/&scope=svc&state=${kilobytes(0.5)}`,
    headers: longCookie,
  }),
  'GET /report/:id': ({ large }) => ({ path: `/report/${path(large)}` }),
  'POST /report/:id': ({ large }) => ({
    path: `/report/${path(large)}`,
    text: `reason=other&text=${kilobytes(14)}`,
    type: form,
  }),
  'GET /sitemaps/:file': { path: '/sitemaps/1.xml' },
}

/** The kinds of requests of a route as bytes, from a client at this address; none for an exempt route. */
export function requestsOf(route: string, facts: Facts, address: string): string[][] {
  const entry = worstRequests[route]
  if (!entry || 'exempt' in entry) return []
  const kinds = [typeof entry === 'function' ? entry(facts) : entry].flat()
  const fresh = facts.fresh[route]
  return kinds.map((kind) =>
    [kind]
      .flat()
      .flatMap((one) =>
        (fresh ?? [undefined]).map((last) => toBytes(route, one, facts, address, last)),
      ),
  )
}

function toBytes(
  route: string,
  worst: Worst,
  facts: Facts,
  address: string,
  last: string | undefined,
): string {
  const [method = '', pattern = ''] = route.split(' ')
  const { by, query, type = 'application/json', headers = {} } = worst
  const target =
    worst.path ?? `${fill(pattern, facts, last)}${query ? `?${query}` : queryOf(route)}`
  const hasBody = !['GET', 'DELETE'].includes(method)
  const text = worst.text ?? (hasBody ? JSON.stringify(worst.body ?? largestBody(route)) : '')
  const token = by === 'operator' ? facts.operatorToken : facts.ownerToken
  const head = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: ${address}`,
    ...(by ? [`Authorization: Bearer ${token}`] : []),
    ...(text === '' ? [] : [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(text)}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}

const missing = '00000000-0000-4000-8000-000000000000'

/** The route with an existing object for each parameter. */
function fill(pattern: string, { large, objects }: Facts, last: string | undefined): string {
  const values: Record<string, string> = {
    emoji_id: path(large),
    key: 'SvcPageData',
    tag: 'USDC',
    path: 'abuse',
  }
  return pattern
    .replaceAll(/\([^)]*\)/g, '')
    .replace(last === undefined ? '' : /:\w+(?=[^:]*$)/, path(last ?? ''))
    .replaceAll(/(\w+)\/:(\w+)/g, (_all, segment: string, name: string) => {
      return `${segment}/${values[name] ?? objects[segment] ?? missing}`
    })
}

const shapeOf = (route: string): string => route.replaceAll(/:\w+|\{\w+\}/g, '{}')
const operations = new Map<string, Operation>(
  describedOperations().map((one) => [shapeOf(`${one.method} /api${one.path}`), one]),
)

/** The longest page of a list. */
function queryOf(route: string): string {
  const parameters = operations.get(shapeOf(route))?.parameters ?? []
  return parameters.some(({ name }) => name === 'limit') ? '?limit=200' : ''
}

const longestBody = 15_000

function largestBody(route: string): unknown {
  const schema = operations.get(shapeOf(route))?.body
  if (!schema) return junkMembers
  for (let most = 1_000; most > 1; most /= 2) {
    const body = largest(schema, Math.floor(most))
    if (JSON.stringify(body).length <= longestBody) return body
  }
  return exampleOf(schema)
}

/** A value with all members, and with the longest texts and lists up to this length. */
function largest(schema: Schema, most: number): unknown {
  const { anyOf, enum: words, type, properties, items } = schema
  if (words) return words.at(-1)
  if ('const' in schema) return schema.const
  if (anyOf && !properties) return largest(anyOf[0] ?? {}, most)
  if (type === 'object') {
    const members = Object.entries(properties ?? {})
    return Object.fromEntries(members.map(([name, of]) => [name, largest(of, most)]))
  }
  if (type === 'array') {
    const length = Math.min(schema.maxItems ?? most, most)
    return Array.from({ length }, () => largest(items ?? {}, most))
  }
  if (type === 'string' && !schema.format && !schema.pattern) {
    return 'x'.repeat(Math.min(schema.maxLength ?? most, most))
  }
  return exampleOf(schema)
}
