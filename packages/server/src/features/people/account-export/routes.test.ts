import { request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { at, grant, newId } from '../../../../test/support/ids.ts'
import {
  callsWith,
  goodPassword,
  logIn,
  type MailedService,
  newcomer,
  type Person,
  registerAs,
  type Tokens,
} from '../../../../test/support/people.ts'
import { stopRefill } from '../../../../test/support/refill.ts'
import { enableApp } from '../../../../test/support/second-factor.ts'
import { sharedMailedService } from '../../../../test/support/shared-service.ts'

let service: MailedService
let admin: Person
const { resume } = stopRefill()
beforeAll(async () => {
  service = await sharedMailedService()
})
// Its session expires when a test moves the clock.
beforeEach(async () => {
  admin = await registerAs(service, 'Admin')
})
afterAll(resume)

type Row = Record<string, unknown>
type Export = Record<string, Row[]> & { account: Row; incomplete_parts: string[] }

const path = '/api/account/export'
const withPassword = () => newcomer(service, { password: goodPassword, isVerified: true })
const exportOf = async (person: Pick<Person, 'get'>) => {
  const answer = await person.get(path)
  expect(answer.status).toBe(200)
  return { ...answer, data: answer.json<Export>() }
}

/** Every column that holds a secret, of all accounts. */
const secretColumns = [
  ['users', 'password_hash'],
  ['keys', 'sealed_private_key'],
  ['second_factors', 'sealed'],
  ['backup_codes', 'code_sha256'],
  ['api_keys', 'token_sha256'],
  ['refresh_tokens', 'token_sha256'],
  ['transfers', 'code_hmac'],
  ['links', 'token_sha256'],
  ['passkeys', 'public_key'],
  ['webhook_endpoints', 'sealed_secret'],
] as const

async function findSecrets(): Promise<string[]> {
  const secrets: string[] = []
  for (const [table, column] of secretColumns) {
    const { rows } = await sql<{ secret: Buffer | string }>`
      select ${sql.ref(column)} as secret from ${sql.table(table)}
      where ${sql.ref(column)} is not null`.execute(service.db)
    for (const { secret } of rows) {
      const forms = ['hex', 'base64', 'base64url'] as const
      if (typeof secret === 'string') secrets.push(secret)
      else secrets.push(...forms.map((form) => secret.toString(form)))
    }
  }
  // Tests before this one leave stand-ins such as 'x' in the same tables.
  return secrets.filter(({ length }) => length >= 8)
}

describe('GET /account/export', () => {
  it('GET /account/export has all own data, nothing of other accounts, and no secrets', async () => {
    const [anna, bert] = [await withPassword(), await withPassword()]
    const id = await grant(admin, { user_id: anna.id })
    const ofBert = await grant(admin, { user_id: bert.id })
    const [watched, interesting] = [newId(), newId()]
    await anna.patch(at(id), { insert: [{ tag: '0x0002', data: 'Guitars of Anna' }] })
    await anna.post(at(id, '/json/SvcPageData'), { data: { title: 'Page of Anna' } })
    await bert.patch(at(ofBert), { insert: [{ tag: '0x0002', data: 'Drums of Bert' }] })
    await anna.post('/api/user_interests', { emoji_id: watched })
    await anna.post('/api/cart', { items: [{ emoji_id: interesting }] })
    const key = (await anna.post('/api/api_keys', { name: 'Key of Anna' })).json<{
      api_key: string
    }>()
    await anna.post('/api/transfers', { eid: id, email: bert.email })
    await bert.post('/api/transfers', { eid: ofBert, email: anna.email })
    await sql`insert into passkeys (user_id, credential_id, public_key, counter, transports, name,
        created_at)
      values (${anna.id}, 'credential of Anna', '\\x0123456789abcdef', 0, '{}', 'Phone of Anna',
        now())`.execute(service.db)
    const endpoint = { url: 'http://127.0.0.1:9/anna', types: ['emoji_id.suspended'] }
    expect((await anna.post('/api/webhook_endpoints', endpoint)).status).toBe(200)
    await admin.post(`/api/admin/emoji_ids/${encodeURIComponent(id)}/suspend`, {
      reason: 'Phishing',
    })
    await admin.patch(`/api/users/${anna.id}`, { first_name: 'Anna', reason: 'A private remark' })

    const { data, body, headers } = await exportOf(anna)
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.json"$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(data.account).toMatchObject({ id: anna.id, email: anna.email, first_name: 'Anna' })
    expect(data['emoji_ids']).toMatchObject([
      {
        emoji_id: id,
        records: [{ tag: '0x0002', data: 'Guitars of Anna' }],
        stored_data: [{ key: 'SvcPageData', data: { title: 'Page of Anna' } }],
        suspended_at: expect.any(String),
        suspension_reason: 'Phishing',
      },
    ])
    expect(data['orders']).toMatchObject([{ status: 'Draft', items: [{ emoji_id: interesting }] }])
    expect(data['transfers']).toMatchObject([
      { emoji_id: id, direction: 'sent', email: bert.email },
    ])
    expect(data['watchlist']).toMatchObject([{ emoji_id: watched }])
    expect(data['api_keys']).toMatchObject([{ name: 'Key of Anna' }])
    expect(data['passkeys']).toMatchObject([{ name: 'Phone of Anna' }])
    expect(data['webhook_endpoints']).toMatchObject([endpoint])
    expect(data['saved_cards']).toEqual([])
    expect(data['keys']).toHaveLength(1)
    expect(data['sessions']?.length).toBeGreaterThan(0)
    const events = data['audit']?.map(({ event, by }) => `${event} by ${by}`)
    expect(events).toContain('api_key.created by account')
    expect(events).toContain('account.changed by other')
    expect(data.incomplete_parts).toEqual([])

    for (const foreign of [ofBert, 'Drums of Bert', bert.id, admin.id, 'A private remark']) {
      expect(body).not.toContain(foreign)
    }
    const { access_token, refresh_token } = anna.tokens
    for (const secret of [...(await findSecrets()), key.api_key, access_token, refresh_token]) {
      expect(body).not.toContain(secret)
    }
    const entries = await admin.get(`/api/admin/audit?event=account.exported&actor_id=${anna.id}`)
    expect(entries.json<{ data: unknown[] }>().data).toHaveLength(1)
  })

  it('keeps reports of abuse from the owner, and closed boxes closed', async () => {
    const anna = await withPassword()
    const id = await grant(admin, { user_id: anna.id })
    const text = 'This owner asked me for money.'
    await service.post(at(id, '/reports'), { category: 'scam', text })
    const box = { status: 'Owned', yats: [newId()], owner_id: anna.id, reason: 'A gift' }
    expect((await admin.post('/api/lootboxes', box)).status).toBe(200)
    const { data, body } = await exportOf(anna)
    expect(body).not.toContain('report')
    expect(body).not.toContain('asked me for money')
    expect(data['lootboxes']).toMatchObject([{ status: 'Owned', emoji_ids: null }])
  })

  it('GET /account/export needs a recent sign-in or a fresh code, and a person', async () => {
    const anna = await withPassword()
    expect((await service.get(path)).status).toBe(401)
    const { api_key } = (await anna.post('/api/api_keys', { name: 'all' })).json<{
      api_key: string
    }>()
    expect((await service.get(path, { headers: { 'x-api-key': api_key } })).status).toBe(403)
    service.clock.advance(16 * 60_000)
    const { refresh_token } = anna.tokens
    const refreshAnswer = await service.post('/api/auth/token/refresh', { refresh_token })
    const old = callsWith(service, refreshAnswer.json<Tokens>())
    expect((await old.get(path)).json()).toMatchObject({ code: 'old_login' })
    const secondPerson = await logIn(service, anna)
    expect((await secondPerson.get(path)).status).toBe(200)

    const bert = await withPassword()
    await enableApp(service, bert)
    service.clock.advance(16 * 60_000)
    const later = await service.post('/api/auth/token/refresh', {
      refresh_token: bert.tokens.refresh_token,
    })
    expect((await callsWith(service, later.json<Tokens>()).get(path)).status).toBe(424)
  })

  it('GET /account/export is limited per account; other accounts of the network are not affected', async () => {
    const [anna, bert] = [await withPassword(), await withPassword()]
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => anna.get(path)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429])
    const refusal = answers.find(({ status }) => status === 429)
    expect(Number(refusal?.headers.get('retry-after'))).toBeGreaterThan(0)
    await exportOf(bert)
  })

  it('streams an export of any size, and stops it when the access is revoked', async () => {
    const anna = await withPassword()
    const entries = 15_000
    await sql`insert into audit_entries (at, event, result, actor_id, subject_id, details)
      select now(), 'login.password', 'done', ${anna.id}::uuid, ${anna.id}::uuid,
        json_build_object('text', repeat('x', 1000))
      from generate_series(1, ${entries}::int)`.execute(service.db)
    const whole = await exportOf(anna)
    expect(whole.data['audit']?.length).toBeGreaterThan(entries)

    const receivedBytes = await new Promise<number>((resolve, reject) => {
      const askingRequest = request(
        `${service.address}${path}`,
        { headers: { authorization: `Bearer ${anna.tokens.access_token}` } },
        (response) => {
          let bytes = 0
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length
          })
          response.on('error', () => resolve(bytes))
          response.on('end', () => resolve(bytes))
          response.pause()
          service.db
            .updateTable('users')
            .set(({ eb }) => ({ epoch: eb('epoch', '+', 1) }))
            .where('id', '=', anna.id)
            .execute()
            .then(() => response.resume(), reject)
        },
      )
      askingRequest.on('error', reject).end()
    })
    expect(receivedBytes).toBeGreaterThan(0)
    expect(receivedBytes).toBeLessThan(entries * 1_000)
  })
})
