import { beforeAll, describe, expect, it } from 'vitest'
import { bearer, registerAs } from '../support/people.ts'
import { sendRaw } from '../support/raw.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let signedIn: Record<string, string>
beforeAll(async () => {
  service = await sharedService()
  signedIn = bearer((await registerAs(service, 'Admin')).tokens.access_token).headers
})

type Operation = { security?: unknown[] }
type Document = { paths: Record<string, Record<string, Operation>> }

/** Every operation with a request body, from its description. */
async function operationsWithBody() {
  const { paths } = (await service.get('/api/openapi.json')).json<Document>()
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => ['post', 'put', 'patch'].includes(method))
      .map((method) => ({ method: method.toUpperCase(), path: path.replaceAll(/[{}]/g, '') })),
  )
}

/** The routes that need more than 16 kB, each with its reason. */
const needsMore: Record<string, string> = {
  'POST /emoji_id/lookup': '1,000 ids',
  'POST /events/watch': '1,000 ids',
  'PATCH /emoji_id/emoji_id': '500 records',
  'POST /transfers/transfer_id/receiver_accept': 'the hashes of all records of an id',
  'POST /emoji_id/eid/json/key': 'a store entry of 256,000 bytes',
  'POST /admin/emoji_ids/import': '1,000 ids with their records',
  'POST /admin/reserved_ids/import': '1,000 patterns with their reasons',
  'POST /admin/codes': '1,000 emojis',
  'PATCH /admin/codes/id': '1,000 emojis',
  'POST /proxy': 'a text of 65,536 characters',
  'POST /webhooks/provider': 'what payment providers send',
  'POST /cart': '100 ids and what the partner keeps with them',
  'POST /lootbox_type': 'its ranges',
}

const send = (method: string, path: string, raw: string) =>
  service.call(method, `/api${path}`, {
    raw,
    headers: { 'content-type': 'application/json', ...signedIn },
  })

describe('the body of an operation', () => {
  it('the body of an operation is limited to 16 kB, except where more is needed', async () => {
    const raw = JSON.stringify({ note: 'x'.repeat(16 * 1024) })
    const operations = await operationsWithBody()
    expect(operations.length).toBeGreaterThan(50)
    const larger: typeof operations = []
    for (const operation of operations) {
      const { status } = await send(operation.method, operation.path, raw)
      if (status !== 413) larger.push(operation)
    }
    const names = larger.map(({ method, path }) => `${method} ${path}`)
    expect(names.sort()).toEqual(Object.keys(needsMore).sort())

    // A list of 1.84 MB with 230,000 members is refused there as well.
    const huge = JSON.stringify(Array.from({ length: 230_000 }, (_, n) => `${n % 1_000}`))
    for (const { method, path } of larger) {
      const { status } = await send(method, path, huge)
      expect([404, 413], `${method} ${path}: ${status}`).toContain(status)
    }
  })

  it('the body of an operation is limited to 2,000 members, even where more bytes are allowed', async () => {
    const raw = JSON.stringify({ emoji_ids: ['🔥🐍'], more: Array(2_000).fill({}) })
    const answer = await send('POST', '/emoji_id/lookup', raw)

    expect([answer.status, answer.json()['code']]).toEqual([413, 'too_large_body'])
  })
})

describe('a body in chunks', () => {
  it('a body in chunks of one byte each gets 413, wherever it goes', async () => {
    const start = 'HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n'
    const headers = 'Content-Type: application/json\r\nAccept: text/html\r\n'
    const send = async (target: string, count: number, size: number) => {
      const chunk = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`
      const bytes = `${target} ${start}${headers}\r\n${chunk.repeat(count)}`
      return (await sendRaw(service.port, `${bytes}Z\r\n`)).text
    }
    const text = await send('POST /api/emoji_id/lookup', 2_600, 1)
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    expect(text).toMatch(/connection: close/i)
    expect(text).toContain('"code":"too_large_body"')
    expect(await send('POST /nothing', 2_600, 1)).toContain('<!doctype html>')
    expect(await send('POST /api/emoji_id/lookup', 2_600, 50)).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('a body in chunks is read no further after the response of a route that ignores it', async () => {
    const request =
      'GET /api/emoji HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n'
    const { text } = await sendRaw(service.port, request)
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    // Otherwise the server waits 20 s for the body, and says so.
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(text).not.toContain('request_timeout')
  })
})
