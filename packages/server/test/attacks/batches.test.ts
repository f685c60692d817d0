import { type EmojiId, parseEmojiId } from '@emojid/core'
import { createClient } from '@emojid/sdk'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBatches } from '../../src/features/directory/records/batches.ts'
import { transact } from '../../src/platform/database/database.ts'
import { invalidRequest } from '../../src/platform/errors.ts'
import { grant, newId } from '../support/ids.ts'
import { type Person, registerAs } from '../support/people.ts'
import { stopRefill } from '../support/refill.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

type Item = {
  emoji_id: string
  result: object[] | null
  error: { code: string; reason: string } | null
}

const mebibyte = 1024 * 1024
let service: TestService
let admin: Person
const { useUp, resume } = stopRefill()
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
})
afterAll(resume)

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const ask = (emoji_ids: string[], { address = '203.0.113.1', tags = undefined as unknown } = {}) =>
  service.post('/api/emoji_id/lookup', { emoji_ids, ...(tags ? { tags } : {}) }, from(address))
const itemsIn = ({ json }: Awaited<ReturnType<typeof ask>>) => json<{ data: Item[] }>().data
const codesIn = (answer: Awaited<ReturnType<typeof ask>>) =>
  itemsIn(answer).map(({ error }) => error?.code ?? 'found')

/** The maximal number and length of records. */
async function fullId(): Promise<string> {
  const id = await grant(admin, { user_id: admin.id })
  const records = Array.from({ length: 200 }, (_, n) => ({
    tag: '0x5001',
    data: `${n} `.padEnd(254, 'x'),
  }))
  await transact(service.db, (trx) =>
    service.edits.writeDemoRecords(trx, parseEmojiId(id), records),
  )
  return id
}

/** Ids with the owner and the records of another. */
async function copyId(full: string, copies: string[]): Promise<void> {
  await sql`
    insert into emoji_ids (emoji_id, display_format, generation, pubkey)
    select copy, copy, generation, pubkey from emoji_ids, unnest(${copies}::text[]) as copy
    where emoji_id = ${full}`.execute(service.db)
  await sql`
    insert into record_sets (emoji_id, records, linked)
    select copy, records, linked from record_sets, unnest(${copies}::text[]) as copy
    where emoji_id = ${full}`.execute(service.db)
}

describe('a batch lookup', () => {
  it('returns a repeated id once, in any spelling', async () => {
    const id = await fullId()
    const [letters = ''] = [[...id].join('\u{fe0f}')]
    const answer = await ask([id, letters, ...Array<string>(998).fill(id)])

    expect(answer.status).toBe(200)
    expect(codesIn(answer)).toEqual(['found', ...Array(999).fill('repeated')])
    expect(answer.body.length).toBeLessThan(mebibyte)
  })

  it('returns a repeated invalid id once', async () => {
    const answer = await ask(Array<string>(1_000).fill('not an id'))
    expect(codesIn(answer)).toEqual(['400', ...Array(999).fill('repeated')])
  })

  it('returns at most 2 MB and marks the other ids as too_large', async () => {
    const full = await fullId()
    const ids: string[] = [full]
    while (ids.length < 34) ids.push(newId())
    await copyId(full, ids.slice(1))
    const answer = await ask([...ids, '🔥🐍'])
    const remainingItems = itemsIn(answer).filter(({ error }) => error?.code === 'too_large')
    const foundItems = itemsIn(answer).filter(({ result }) => result !== null)

    expect(answer.status).toBe(200)
    expect(Buffer.byteLength(answer.body)).toBeLessThan(2.1 * mebibyte)
    expect(remainingItems.length).toBeGreaterThan(0)
    expect(remainingItems.length + foundItems.length).toBe(35)
    // Small ids still fit after a large one.
    expect(codesIn(answer).at(-1)).toBe('found')
    const secondAnswer = await ask(remainingItems.map(({ emoji_id }) => emoji_id))
    expect(codesIn(secondAnswer)[0]).toBe('found')
    const client = createClient({ api: `${service.address}/api` })
    const lookupResults = await client.lookupMany(ids)
    expect(lookupResults.map((one) => one.status === 'found' && one.records.length)).toEqual(
      Array(34).fill(200),
    )
  })
})

describe('batch lookups', () => {
  it('batch lookups have a rate limit in ids per network, separate from single lookups and other networks', async () => {
    const all = [...'🦀🐙🍕👑🔥🐍🌴🎸🚀💎']
    const ids = all.flatMap((a) => all.flatMap((b) => all.map((c) => a + b + c)))
    const next = (nth: number) => ask(ids, { address: `198.51.100.${nth}` })
    expect((await next(1)).status).toBe(200)
    // The state after 12 more.
    useUp(6)
    for (let nth = 2; nth < 9; nth++) expect((await next(nth)).status).toBe(200)
    const refusal = await next(9)

    expect([refusal.status, refusal.json()['code']]).toEqual([429, 'rate_limited'])
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    const lookup = await service.get('/api/emoji_id/🔥🐍', from('198.51.100.1'))
    expect(lookup.status).toBe(200)
    expect((await ask(['🔥🐍'], { address: '192.0.2.1' })).status).toBe(200)
  })

  it('batch lookups with unread responses use bounded memory, in total and per network', async () => {
    const records = JSON.stringify([{ data: 'x'.repeat(1.9 * mebibyte) }])
    const entry = {
      id: '🔥🐍' as EmojiId,
      registered: true,
      changes_at: null,
      suspended: false,
      records,
      views: 0,
    }
    const window = { start: new Date(0), finish: new Date(0) }
    const lookupResult = {
      entry: { ...entry, window, answers: { get: () => undefined, put: () => {} } },
      was_kept: true,
    }
    const { lookUp } = createBatches({
      seek: async () => lookupResult,
      count: () => {},
    })
    const once = (network: string) => lookUp({ emoji_ids: ['🔥🐍'] }, network)
    const heldBatchResults = await Promise.all(Array.from({ length: 5 }, () => once('one')))

    await expect(once('one')).rejects.toMatchObject({ kind: 'unavailable', code: 'overloaded' })
    const others = await Promise.all(Array.from({ length: 12 }, (_, n) => once(`network ${n}`)))
    await expect(once('another')).rejects.toMatchObject({ code: 'overloaded' })
    for (const { release } of [...heldBatchResults, ...others]) {
      release()
      release()
    }
    expect((await once('one')).found).toEqual([lookupResult])
  })

  it('batch lookups of malformed ids use up the limit of a network three times as fast', async () => {
    const { lookUp } = createBatches({
      seek: () => Promise.reject(invalidRequest('wrong')),
      count: () => {},
    })
    const emoji_ids = Array.from({ length: 1_000 }, (_, n) => `x${n}`)
    for (let batch = 0; batch < 7; batch++) await lookUp({ emoji_ids }, 'one')
    await expect(lookUp({ emoji_ids }, 'one')).rejects.toMatchObject({ code: 'rate_limited' })
    await lookUp({ emoji_ids }, 'two')
  })
})
