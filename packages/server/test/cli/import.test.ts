import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Machine, machine } from '../support/cli.ts'
import { newId, recordsOf } from '../support/ids.ts'
import {
  confirmedUser,
  goodPassword,
  type Person,
  register,
  registerAs,
} from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { bitcoin, ethereum } from '../support/wallet.ts'

let service: TestService
let admin: Person
let anna: Person
let type: Machine['type']
let path: Machine['path']
let remove: Machine['remove']
beforeAll(async () => {
  service = await testService({ reachable: true })
  admin = await registerAs(service, 'Admin')
  anna = await confirmedUser(service, { password: goodPassword })
  ;({ type, path, remove } = machine(`${service.address}/api`))
})
beforeEach(() => logIn(admin))
afterAll(async () => {
  await service.close()
  remove()
})

const logIn = ({ email }: Person) => type(['login', '--email', email], { input: [goodPassword] })

type Line = { row: number; emoji_id: string; status: string; code?: string; message?: string }
const resultsIn = (file: string) =>
  readFileSync(path(file), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Line)
    .sort((one, other) => one.row - other.row)
const take = (file: string, ...more: string[]) => type(['import', file, ...more])

describe('an import', () => {
  it('grants the ids of a CSV file and reports the result of each row', async () => {
    // Without the ids and audit entries of other imports.
    const [otherAdmin, anna] = [await registerAs(service, 'Admin'), await confirmedUser(service)]
    const ownIds = async () => (await anna.get('/api/emoji_id')).json<string[]>()
    await logIn(otherAdmin)
    const [one, two, three] = [newId(), newId(), newId()]
    const records = JSON.stringify([{ tag: '0x0005', data: 'Crab, "the" one' }], null, 1)
    const name = records.replaceAll('"', '""')
    writeFileSync(
      path('ids.csv'),
      [
        '\ufeffemoji_id,email,user_id,records,0x1003',
        `${one},${anna.email},,,${bitcoin}`,
        `${two},,${anna.id},"${name}",`,
        `nothing,${anna.email},,,`,
        `${three},unknown@example.com,,,`,
        `${newId()},${anna.email},,{,`,
      ].join('\r\n'),
    )
    const tried = await take('ids.csv', '--dry-run')
    expect(tried.status).toBe(1)
    expect(tried.json()).toMatchObject({ granted: 2, refused: 3, total: 5, dry_run: true })
    expect(await ownIds()).toEqual([])
    const importRun = await take('ids.csv', '--reason', 'The directory we bought')
    const auditEntries = await admin.get(
      `/api/admin/audit?event=emoji_id.granted&actor_id=${otherAdmin.id}`,
    )
    const { data } = auditEntries.json<{ data: { details: object }[] }>()
    expect(data.map(({ details }) => details)).toMatchObject(
      [one, two].map(() => ({ reason: 'The directory we bought' })),
    )
    expect(importRun.json()).toMatchObject({
      granted: 2,
      refused: 3,
      results: 'ids.csv.results.jsonl',
    })
    expect(importRun.err).toContain('3 rows were refused')
    expect((await ownIds()).sort()).toEqual([one, two].sort())
    expect(await recordsOf(service, one)).toMatchObject([{ tag: '0x1003', data: bitcoin }])
    expect(await recordsOf(service, two)).toMatchObject([{ data: 'Crab, "the" one' }])
    expect((await type(['lookup', one, '--verify'])).json()).toHaveProperty('proven_by')
    expect(resultsIn('ids.csv.results.jsonl')).toMatchObject([
      { row: 2, emoji_id: one, status: 'granted' },
      { row: 3, status: 'granted' },
      { row: 4, emoji_id: 'nothing', status: 'refused', code: 'unknown_emoji' },
      {
        row: 5,
        status: 'refused',
        code: 'unknown_user',
        message: 'No account has this email address.',
      },
      // The quoted cell of row 3 has several lines; a spreadsheet counts rows, not lines.
      { row: 6, status: 'refused', code: 'malformed' },
    ])
    // The missing user exists now: rejected rows are retried, the rest is not sent.
    const missing = { email: 'unknown@example.com', email_verified_at: new Date() }
    const { id } = await register(service)
    await service.db.updateTable('users').set(missing).where('id', '=', id).execute()
    expect((await take('ids.csv')).json()).toMatchObject({ granted: 1, skipped: 2, refused: 2 })
  })

  it('ignores the results of another file', async () => {
    writeFileSync(path('a.csv'), `emoji_id,email\n${newId()},${anna.email}\n`)
    expect((await take('a.csv')).status).toBe(0)
    writeFileSync(path('a.csv'), `emoji_id,email\n${newId()},${anna.email}\n`)
    const other = await take('a.csv')
    expect([other.status, other.err]).toEqual([2, expect.stringContaining('--restart')])
    expect((await take('a.csv', '--restart')).status).toBe(0)
  })

  it.each([
    ['x.txt', 'emoji_id\n', '--format'],
    ['heading.csv', 'emoji_id,color\n', 'color'],
    ['none.csv', 'email\n', 'emoji_id'],
  ])('an import of %s is rejected before a request is sent', async (file, text, expectedText) => {
    writeFileSync(path(file), text)
    const answer = await take(file)
    expect([answer.status, answer.err]).toEqual([2, expect.stringContaining(expectedText)])
    expect((await take('missing.csv')).status).toBe(2)
  })
})

describe('an export', () => {
  it('an export can be imported again without a difference', async () => {
    const id = newId()
    const row = { emoji_id: id, user_id: anna.id, records: [{ tag: '0x1004', data: ethereum }] }
    await admin.post('/api/admin/emoji_ids/import', { rows: [row] })
    for (const file of ['all.csv', 'all.jsonl']) {
      const exportRun = await type(['export', file])
      expect(exportRun.status, exportRun.err).toBe(0)
      expect(existsSync(path(`${file}.part`))).toBe(false)
      const { ids } = exportRun.json<{ ids: number }>()
      expect(readFileSync(path(file), 'utf8')).toContain(ethereum)
      const importRun = await take(file)
      expect([importRun.status, importRun.err]).toEqual([0, ''])
      expect(importRun.json()).toMatchObject({ unchanged: ids, granted: 0, changed: 0 })
    }
    const piped = await type(['export'])
    expect(piped.lines()).toContainEqual(row)
  })
})

// After the exports, which contain all ids.
describe('a long import', () => {
  it('resumes after an interruption, and a repetition changes nothing', async () => {
    const ids = Array.from({ length: 1_200 }, (_, place) => idNumber(place))
    const line = (emoji_id: string) => JSON.stringify({ emoji_id, user_id: anna.id })
    writeFileSync(path('many.jsonl'), ids.map(line).join('\n'))
    const interruption = new AbortController()
    const interruptedRun = await type(['import', 'many.jsonl'], {
      signal: interruption.signal,
      // The bar is drawn after each batch: the first one is done then.
      onProgress: () => interruption.abort(),
    })
    expect(interruptedRun.status).toBe(130)
    expect(interruptedRun.err).toContain('Run the same command again to continue')
    const before = resultsIn('many.jsonl.results.jsonl').length
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(1_200)
    appendFileSync(path('many.jsonl.results.jsonl'), '{"row":12')
    const rest = await take('many.jsonl')
    expect(rest.status, rest.err).toBe(0)
    const { granted, unchanged, skipped } = rest.json<Record<string, number>>()
    expect(skipped).toBe(before)
    expect((granted ?? 0) + (unchanged ?? 0)).toBe(1_200 - before)
    expect((await take('many.jsonl')).json()).toMatchObject({ skipped: 1_200, granted: 0 })
    const secondRun = await take('many.jsonl', '--restart')
    expect(secondRun.json()).toMatchObject({ unchanged: 1_200, granted: 0 })
  })
})

describe('an export by a user', () => {
  it('an export by a user is refused', async () => {
    await logIn(anna)
    const refusedRun = await type(['export', 'mine.csv'])
    expect(refusedRun.status).toBe(1)
    expect(existsSync(path('mine.csv'))).toBe(false)
    expect(existsSync(path('mine.csv.part'))).toBe(false)
  })
})

const digits = [...'🦀🐙🍕👑🔥🐍🌴🎸🚀💎']
/** A different id for each number. */
function idNumber(number: number): string {
  return [...String(number).padStart(5, '0')].map((digit) => digits[Number(digit)]).join('')
}
