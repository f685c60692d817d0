import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Check, Stage } from './check.ts'
import { needProgram, run } from './tools.ts'

/** Without SQL, the path answers `status`. */
type Target = { path: string; body?: string; status?: number }

const id = encodeURIComponent('🔥🐍')
/** An asterisk marks a place for SQL; without one, sqlmap tries every parameter. */
const targets: Target[] = [
  { path: `/emoji_id/${id}*` },
  { path: `/emoji_id/${id}/payment?token=USDC&network=ETH` },
  { path: `/emoji_id/search?emoji_id=${id}` },
  { path: `/redirect?emoji_id=${id}&link=https%3A%2F%2Fexample.com`, status: 404 },
  { path: '/events?types=emoji_id.transferred&limit=5' },
  { path: '/account/emoji_ids?q=a&sort=created_at&dir=Asc&limit=5&page=0' },
  { path: '/transfers?sort=created_at&dir=Desc&sender_id=0190a6a0-0000-7000-8000-000000000000' },
  { path: `/users?q=a&sort=email&dir=Asc&role=Admin&emoji_id=${id}` },
  { path: `/orders?q=a&from=2026-01-01&to=2026-02-01&emoji_id=${id}` },
  { path: '/admin/audit?event=account.registered&person=a%40example.com&from=2026-01-01' },
  { path: '/auth/token', body: '{"email":"anna@example.com*","password":"good"}', status: 401 },
  { path: '/emoji_id/lookup', body: '{"emoji_ids":["🔥🐍*"]}' },
]

/** T109: sqlmap finds no place where a parameter becomes SQL. */
export const sqlmapCheck: Check = {
  name: 'sqlmap: no parameter becomes SQL',
  async run(stage) {
    await needProgram('sqlmap', 'sqlmap')
    const way = await openWay(stage)
    const folder = mkdtempSync(join(tmpdir(), 'emojid-sqlmap-'))
    try {
      for (const target of targets) await attack(way.url, target, folder)
    } finally {
      rmSync(folder, { recursive: true })
      way.close()
    }
    const faults = Object.keys(way.countOf).filter((status) => Number(status) >= 429)
    if (faults.length > 0) throw new Error(`The service answered ${JSON.stringify(way.countOf)}`)
    return { routes: targets.length, answers: way.countOf }
  },
}

async function attack(url: string, { path, body, status = 200 }: Target, folder: string) {
  const answer = await fetch(`${url}${path.replace('*', '')}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json' },
    body: body?.replace('*', '') ?? null,
  })
  if (answer.status !== status)
    throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  const options =
    '--batch --disable-coloring --flush-session --dbms=PostgreSQL --risk=2 --ignore-code=* --ignore-redirects'
  const output = await run('sqlmap', [
    ...options.split(' '),
    `--output-dir=${folder}`,
    `--tmp-dir=${folder}`,
    '-u',
    `${url}${path}`,
    ...(body ? ['--data', body, '-H', 'content-type: application/json'] : []),
  ])
  if (!output.includes('all tested parameters do not appear to be injectable'))
    throw new Error(`${path}: ${output.slice(-1_500)}`)
}

/** Adds the credentials of an administrator, and a new client address to stay below the limits. */
async function openWay({ url, admin }: Stage) {
  const service = new URL(url)
  const countOf: Record<number, number> = {}
  const server = createServer((asked, reply) => {
    const address = [10, randomInt(256), randomInt(256), randomInt(256)].join('.')
    const headers = { ...asked.headers, ...admin, 'x-forwarded-for': address }
    const path = `${service.pathname}${asked.url}`
    const forwarded = request(service, { path, method: asked.method, headers }, (answer) => {
      const status = answer.statusCode ?? 0
      countOf[status] = (countOf[status] ?? 0) + 1
      reply.writeHead(status, answer.headers)
      answer.pipe(reply)
    })
    forwarded.on('error', () => reply.destroy())
    asked.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, countOf, close: () => server.close() }
}
