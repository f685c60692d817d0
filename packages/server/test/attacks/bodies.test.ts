import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { register } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'

let service: TestService
let signedIn: Record<string, string>
beforeAll(async () => {
  service = await testService()
  const { tokens } = await register(service)
  signedIn = { authorization: `Bearer ${tokens.access_token}` }
})
afterAll(() => service.close())

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

describe('a body of 1.84 MB with 230,000 members', () => {
  it('is rejected by every operation', async () => {
    const raw = JSON.stringify(Array.from({ length: 230_000 }, (_, n) => `${n % 1_000}`))
    const operations = await operationsWithBody()
    expect(operations.length).toBeGreaterThan(50)
    for (const { method, path } of operations) {
      const { status } = await send(method, path, raw)
      // Access is checked before the body.
      expect([403, 404, 413], `${method} ${path}: ${status}`).toContain(status)
    }
  })
})

describe('the body of an operation', () => {
  it('is limited to 16 kB, except where more is needed', async () => {
    const raw = JSON.stringify({ note: 'x'.repeat(16 * 1024) })
    const admin = { authorization: signedIn['authorization'] ?? '' }
    await service.db.updateTable('users').set({ role: 'Admin' }).execute()
    const larger: string[] = []
    for (const { method, path } of await operationsWithBody()) {
      const answer = await service.call(method, `/api${path}`, {
        raw,
        headers: { 'content-type': 'application/json', ...admin },
      })
      if (answer.status !== 413) larger.push(`${method} ${path}`)
    }

    expect(larger.sort()).toEqual(Object.keys(needsMore).sort())
  })

  it('is limited to 2,000 members, even where more bytes are allowed', async () => {
    const raw = JSON.stringify({ emoji_ids: ['🔥🐍'], more: Array(2_000).fill(0) })
    const answer = await send('POST', '/emoji_id/lookup', raw)

    expect([answer.status, answer.json()['code']]).toEqual([413, 'too_large_body'])
  })
})
