import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Machine, machine } from '../support/cli.ts'
import { grant, newId, recordsOf } from '../support/ids.ts'
import { webServer } from '../support/outside.ts'
import {
  confirmedUser,
  goodPassword,
  type Person,
  register,
  registerAs,
} from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { bitcoin, otherBitcoin } from '../support/wallet.ts'

/** Files of operators: accepted formats, rows rejected before sending, and files left unchanged. */
let service: TestService
let admin: Person
let anna: Person
let api: string
let type: Machine['type']
let path: Machine['path']
let remove: Machine['remove']
beforeAll(async () => {
  service = await testService({ reachable: true })
  admin = await registerAs(service, 'Admin')
  anna = await confirmedUser(service)
  api = `${service.address}/api`
  ;({ type, path, remove } = machine(api))
  await type(['login', '--email', admin.email], { input: [goodPassword] })
})
afterAll(async () => {
  await service.close()
  remove()
})

type Line = { row: number; emoji_id: string; status: string; code?: string; message?: string }
const write = (file: string, ...lines: string[]) => writeFileSync(path(file), lines.join('\n'))
const take = (file: string, ...more: string[]) => type(['import', file, ...more])
const linesOf = (file: string) =>
  readFileSync(path(file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
const isFree = async (id: string) =>
  (await service.get(`/api/emoji_id/${encodeURIComponent(id)}`)).status === 404

describe('an id that the file has more than once', () => {
  it('an id that the file has more than once is rejected in all its rows, permanently, in dry runs as well', async () => {
    const [alone, grantedId] = [newId(), await grant(admin, { user_id: anna.id })]
    const thumb = ['👍', ...[...newId()].slice(1)].join('')
    // More rows than one batch lie between the two.
    const between = Array.from({ length: 520 }, () => `${newId()},unknown@example.com,`)
    write(
      'twice.csv',
      'emoji_id,email,0x1003',
      `${grantedId},,${bitcoin}`,
      `${thumb},${anna.email},${bitcoin}`,
      `${alone},${anna.email},${bitcoin}`,
      ...between,
      `${thumb.replace('👍', '👍🏽')},${anna.email},${otherBitcoin}`,
      `${grantedId},,${otherBitcoin}`,
    )
    for (const more of [['--dry-run'], [], []]) {
      const answer = await take('twice.csv', ...more)
      expect(answer.status).toBe(1)
      const results = linesOf(`twice.csv.${more.length ? 'dry-run' : 'results'}.jsonl`)
      const ofRow = (row: number) => results.findLast((line) => line.row === row)
      for (const row of [2, 3, 525, 526]) {
        expect(ofRow(row)).toMatchObject({ status: 'refused', code: 'repeated' })
      }
      expect(ofRow(3)?.message).toContain('3, 525')
      expect(ofRow(4)?.status).toBe('granted')
      expect(await isFree(thumb)).toBe(true)
      expect(await recordsOf(service, grantedId)).toEqual([])
    }
  })
})

describe('an owner by email address', () => {
  it('an owner by email address must have a confirmed address, in a file and in a single grant', async () => {
    const squatter = await register(service)
    const id = newId()
    write('squatted.csv', 'emoji_id,email', `${id},${squatter.email}`)
    expect((await take('squatted.csv')).status).toBe(1)
    expect(linesOf('squatted.csv.results.jsonl')[1]?.code).toBe('unconfirmed_email')
    const granted = await type(['admin', 'grant', id, squatter.email])
    expect([granted.status, granted.err]).toEqual([1, expect.stringContaining(squatter.id)])
    expect(await isFree(id)).toBe(true)
    expect((await type(['admin', 'grant', id, squatter.id])).status).toBe(0)
    expect((await type(['admin', 'grant', newId(), anna.email])).status).toBe(0)
  })
})

describe('a results file', () => {
  it('a results file of a dry run or of another service skips no row', async () => {
    const id = newId()
    write('one.csv', 'emoji_id,email', `${id},${anna.email}`)
    expect((await take('one.csv', '--dry-run', '--results', 'one.jsonl')).status).toBe(0)
    const mixed = await take('one.csv', '--results', 'one.jsonl')
    expect([mixed.status, mixed.err]).toEqual([2, expect.stringContaining('dry run')])
    expect((await take('one.csv', '--results', 'one.jsonl', '--restart')).status).toBe(0)
    expect(await isFree(id)).toBe(false)
    const otherUrl = `${api.replace('localhost', '127.0.0.1')}/other`
    const other = await take('one.csv', '--results', 'one.jsonl', '--api', otherUrl)
    expect([other.status, other.err]).toEqual([2, expect.stringContaining(otherUrl)])
    // A dry run does not overwrite the results of the import.
    expect((await take('one.csv', '--dry-run', '--results', 'one.jsonl')).status).toBe(2)
    expect(linesOf('one.jsonl')[1]?.status).toBe('granted')
  })

  it('replaces no other file, in particular not the imported one', async () => {
    write('kept.csv', 'emoji_id,email', `${newId()},${anna.email}`)
    write('diary.txt', 'Dear diary')
    symlinkSync(path('kept.csv'), path('linked.csv'))
    for (const results of ['kept.csv', 'linked.csv', 'diary.txt']) {
      for (const more of [[], ['--restart'], ['--dry-run']]) {
        const before = readFileSync(path(results), 'utf8')
        const answer = await take('kept.csv', '--results', results, ...more)
        expect([answer.status, answer.out]).toEqual([2, ''])
        expect(readFileSync(path(results), 'utf8')).toBe(before)
      }
    }
  })
})

describe('records of an id that has others', () => {
  const name = { tag: '0x0005', data: 'Crab' }
  const site = { tag: '0x4001', data: 'https://example.com' }
  const owned = async () => {
    const emoji_id = await grant(admin, { user_id: anna.id })
    const records = [name, { tag: '0x1003', data: otherBitcoin }, site]
    await admin.post('/api/admin/emoji_ids/import', { rows: [{ emoji_id, records }] })
    return emoji_id
  }
  const dataOf = async (id: string) =>
    (await recordsOf(service, id)).map(({ data }) => data as string)

  it('records of an id that has others stay when a column names another category, as the dry run shows', async () => {
    const id = await owned()
    write('column.csv', 'emoji_id,email,0x1003', `${id},,${bitcoin}`)
    const tried = await take('column.csv', '--dry-run')
    expect(tried.json()).toMatchObject({ changed: 1, records_added: 1, records_removed: 1 })
    const change = {
      added: [{ tag: '0x1003', data: bitcoin }],
      removed: [{ tag: '0x1003', data: otherBitcoin }],
    }
    expect(linesOf('column.csv.dry-run.jsonl')[1]).toMatchObject({ row: 2, ...change })
    const shown = await type(['import', 'column.csv', '--dry-run'], { terminal: true })
    expect(shown.out).toContain(`row 2  ${id}  − 0x1003 ${otherBitcoin}`)
    expect((await take('column.csv')).json()).toMatchObject({ changed: 1 })
    expect(await dataOf(id)).toEqual(['Crab', bitcoin, 'https://example.com'])
  })

  it('records of an id that has others are removed with --replace-all only, as the dry run shows', async () => {
    const id = await owned()
    write('whole.csv', 'emoji_id,0x1003', `${id},${bitcoin}`)
    const tried = await take('whole.csv', '--dry-run', '--replace-all')
    expect(tried.json()).toMatchObject({ changed: 1, records_added: 1, records_removed: 3 })
    expect(await dataOf(id)).toHaveLength(3)
    expect((await take('whole.csv', '--replace-all')).json()).toMatchObject({ changed: 1 })
    expect(await dataOf(id)).toEqual([bitcoin])
    const resumed = await take('whole.csv')
    expect([resumed.status, resumed.err]).toEqual([2, expect.stringContaining('--replace-all')])
  })
})

it('an export overwrites a file only with --overwrite', async () => {
  write('kept.json', 'my notes')
  const refused = await type(['export', 'kept.json'])
  expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('--overwrite')])
  expect(readFileSync(path('kept.json'), 'utf8')).toBe('my notes')
  expect((await type(['export', 'kept.json', '--overwrite'])).status).toBe(0)
  expect(JSON.parse(readFileSync(path('kept.json'), 'utf8'))).not.toHaveLength(0)
})

describe('accepted input', () => {
  it.each<[string, string | Buffer, string]>([
    ['two-columns.csv', `emoji_id,email,0x1003, 0X1003\n`, '0x1003'],
    ['latin.csv', Buffer.from('emoji_id,email\nx,andr\xe9@example.com\n', 'latin1'), 'UTF-8'],
    ['latin.jsonl', Buffer.from('{"emoji_id":"\xe9"}\n', 'latin1'), 'UTF-8'],
    ['open.csv', 'emoji_id,email\nx,"a@example.com\ny,b@example.com\n', 'Line 2'],
    ['crossed.csv', 'emoji_id,email\nx,a\nx,"a@example.com\ny,"b@example.com"\n', 'Line 3'],
    ['within.csv', 'emoji_id,email\nx,a"b\n', 'Line 2'],
    ['broken.json', '[{"emoji_id": "x"},', 'JSON'],
    ['empty.csv', '', 'no rows'],
    ['heading.csv', 'emoji_id,email\n', 'no rows'],
    ['empty.jsonl', '\n', 'no rows'],
    ['empty.json', '[]', 'no rows'],
  ])('%s is rejected before a request is sent', async (file, content, expectedText) => {
    writeFileSync(path(file), content)
    const answer = await take(file)
    expect([answer.status, answer.err]).toEqual([2, expect.stringContaining(expectedText)])
  })

  it.each([';', '\t'])('a CSV file of a spreadsheet that separates by “%s”', async (separator) => {
    const [id, other] = [newId(), newId()]
    const rows = [
      ['emoji_id', 'email', 'records', '0x0005'],
      [id, anna.email, '', 'Crab, the first'],
      [],
      ['nothing', anna.email, '', ''],
      [other, anna.email, '"[{""tag"":""0x0005"",""data"":""a; b""}]"', ''],
    ]
    write('separated.csv', ...rows.map((cells) => cells.join(separator)))
    const answer = await take('separated.csv', '--restart', '--results', 'separated.jsonl')
    expect(answer.json()).toMatchObject({ granted: 2, refused: 1 })
    expect(linesOf('separated.jsonl').slice(1)).toMatchObject([
      { row: 2, emoji_id: id },
      { row: 4, emoji_id: 'nothing' },
      { row: 5, emoji_id: other },
    ])
    expect(await recordsOf(service, id)).toMatchObject([{ data: 'Crab, the first' }])
    expect(await recordsOf(service, other)).toMatchObject([{ data: 'a; b' }])
  })

  it('a CSV file of Excel, whose first line names the separator', async () => {
    const [id, other] = [newId(), newId()]
    const lines = ['emoji_id;email', `${id};${anna.email}`, `${other};${anna.email}`]
    write('excel.csv', 'sep=;', ...lines)
    const answer = await take('excel.csv', '--restart', '--results', 'excel.jsonl')
    expect(answer.json()).toMatchObject({ granted: 2 })
    expect(linesOf('excel.jsonl').slice(1)).toMatchObject([{ row: 2 }, { row: 3 }])
  })

  it('JSON lines after a byte order mark, and a JSON list as an export writes it', async () => {
    const [first, second, third] = [newId(), newId(), newId()]
    const row = (emoji_id: string) => ({ emoji_id, user_id: anna.id })
    write('marked.jsonl', `\ufeff${JSON.stringify(row(first))}`, JSON.stringify(row(second)))
    expect((await take('marked.jsonl')).json()).toMatchObject({ granted: 2, refused: 0 })
    write('list.json', JSON.stringify([row(third), { emoji_id: 7 }], null, 2))
    expect((await take('list.json')).json()).toMatchObject({ granted: 1, refused: 1 })
    const { ids } = (await type(['export', 'all.json'])).json<{ ids: number }>()
    expect(JSON.parse(readFileSync(path('all.json'), 'utf8'))).toHaveLength(ids)
    expect((await take('all.json')).json()).toMatchObject({ unchanged: ids, total: ids })
  })
})

it('an application is registered for an organization by its name or partner path', async () => {
  const organization = { name: 'Crab Shops', partner_path: 'crab-shops' }
  const { id } = (await admin.post('/api/admin/organizations', organization)).json<{ id: string }>()
  const listRun = await type(['admin', 'organizations', 'crab'])
  expect(listRun.lines()).toMatchObject([{ id, partner_path: 'crab-shops' }])
  const create = (name: string) =>
    type([
      'oauth-client',
      'create',
      '--organization',
      name,
      '--name',
      'Shop',
      '--redirect',
      'https://shop.example.com/callback',
    ])
  for (const name of ['crab shops', 'crab-shops', id]) {
    const createResponse = await create(name)
    expect(createResponse.status, createResponse.err).toBe(0)
  }
  expect((await create('Crab')).err).toContain('There is no organization “Crab”')
})

it('a batch rejected by a busy service is retried as the same request', async () => {
  const keys: unknown[] = []
  const busy = await webServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const isImport = request.url?.endsWith('/import')
    if (isImport) keys.push(request.headers['idempotency-key'])
    if (isImport && keys.length <= 5) {
      response.writeHead(503, { 'content-type': 'application/json' })
      response.end('{"error":"Busy","code":"busy"}')
      return
    }
    const { host: _host, connection: _connection, ...headers } = request.headers
    const { method = 'GET', url = '' } = request
    const answer = await fetch(service.address + url, {
      method,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  })
  onTestFinished(() => busy.close())
  const there = ['--api', `${busy.address}/api`]
  await type(['login', '--email', admin.email, ...there], { input: [goodPassword] })
  write('busy.csv', 'emoji_id,email', `${newId()},${anna.email}`)
  const answer = await take('busy.csv', ...there)
  expect([answer.status, answer.err]).toEqual([0, ''])
  expect(answer.json()).toMatchObject({ granted: 1 })
  expect(keys).toHaveLength(6)
  expect(new Set(keys).size).toBe(1)
})
