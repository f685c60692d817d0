// Measures operator searches among 100,000 rows: npm run bench:lists
import { loadavg } from 'node:os'
import pg from 'pg'
import { fillLists } from './list-rows.ts'
import { median } from './load.ts'
import { report } from './report.ts'
import { setStage } from './stage.ts'

const rows = 100_000
const rounds = 9
const wanted_ms = 50
const admin = { email: 'admin@lists.example', password: 'a password hard to guess' }

const quiet = loadavg()[0]?.toFixed(2)
const { connection, port, start, stop, clear } = await setStage()
const service = await start({
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  TRUST_PROXY: '127.0.0.1',
  DEV_PAGES: 'false',
})
let requests = 0
await fillLists(connection, rows)
const knownRow = await pick()
const token = await logIn()
const whole_code = await makeCode()

const people = {
  whole_address: knownRow.email,
  part_of_address: knownRow.email.slice(0, -9),
  host_of_many: 'example.com',
  part_of_name: 'schneid',
  no_match: 'matchesnothing',
  three_without_match: 'qqz',
  two_without_match: 'qq',
  two: 'an',
  one: 'a',
  all: '',
}
const lists = {
  users: await measure('/users', { ...people, two_names: knownRow.name, id: knownRow.user_id }),
  orders: await measure('/orders?filled=true', { ...people, number: knownRow.order_id.slice(-8) }),
  lootboxes: await measure('/lootboxes', { ...people, seal: knownRow.seed_hash.slice(0, 8) }),
  codes: await measure('/codes', {
    whole_code,
    part_of_name: 'schneid',
    name_of_all: 'welcome',
    no_match: 'matchesnothing',
    two_without_match: 'qq',
    two: 'an',
    one: 'a',
    all: '',
  }),
  audit: await measure(
    '/admin/audit',
    { whole_address: knownRow.email, no_match: 'missing@lists.example', all: '' },
    'person',
  ),
}
await stop(service)
await clear()

const slow = Object.entries(lists).flatMap(([list, questions]) =>
  Object.entries(questions)
    .filter(
      ([, { first_page_ms, last_page_ms }]) => Math.max(first_page_ms, last_page_ms) > wanted_ms,
    )
    .map(([question]) => `${list}.${question}`),
)
report(new URL('.', import.meta.url), 'lists', {
  load_before: quiet,
  rows_of_each: rows,
  rounds,
  wanted_ms,
  slower_than_wanted: slow,
  lists,
})

type ListFigures = { found: number; first_page_ms: number; last_page_ms: number }

async function measure(list: string, questions: Record<string, string>, name = 'q') {
  const measured: Record<string, ListFigures> = {}
  for (const [question, text] of Object.entries(questions)) {
    const filter = text === '' ? '' : `&${name}=${encodeURIComponent(text)}`
    const listPath = `${list}${list.includes('?') ? '&' : '?'}limit=50${filter}`
    const first = await time(listPath)
    const last = Math.max(0, Math.ceil(first.total / 50) - 1)
    const { ms } = await time(`${listPath}&page=${last}`)
    measured[question] = { found: first.total, first_page_ms: first.ms, last_page_ms: ms }
  }
  return measured
}

/** Includes the total count, which every page returns. */
async function time(path: string) {
  const times: number[] = []
  let total = 0
  for (let n = 0; n < rounds; n++) {
    const start = performance.now()
    const answer = await ask(path, { headers: { authorization: `Bearer ${token}` } })
    total = ((await answer.json()) as { paging: { total: number } }).paging.total
    times.push(performance.now() - start)
  }
  return { total, ms: Number(median(times).toFixed(1)) }
}

/** Makes a code that buyers type: its text is stored sealed, and found by its HMAC. */
async function makeCode(): Promise<string> {
  const terms = { code_type: 'Discount', activator: 'RedemptionCode', discount_as_percentage: 10 }
  const answer = await ask('/admin/codes', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Welcome', redemption_code: 'WELCOME-1234', ...terms }),
  })
  return ((await answer.json()) as { redemption_code: string }).redemption_code
}

async function logIn(): Promise<string> {
  const answer = await ask('/auth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Each from another network, because a network has a rate limit. */
async function ask(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-forwarded-for', `10.${++requests % 250}.0.1`)
  const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, { ...init, headers })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

/** Picks an existing row from the middle of each list. */
async function pick() {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows: picked } = await client.query(
    `select users.id as user_id, users.email, first_name || ' ' || last_name as name, orders.id as order_id, seed_hash
     from orders join users on users.id = orders.user_id and first_name is not null and status <> 'Draft',
       (select seed_hash from lootboxes order by created_at offset $1 limit 1) as box
     order by orders.created_at offset $1 limit 1`,
    [rows / 2],
  )
  await client.end()
  return picked[0] as Record<'user_id' | 'email' | 'name' | 'order_id' | 'seed_hash', string>
}
