import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, linkKinds, stateOf } from '../support/mailed-links.ts'
import { type MailedService, submit } from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
beforeAll(async () => {
  service = await sharedMailedService()
})

type Answer = Awaited<ReturnType<typeof submit>>

/** A page that explains the error, with at most a form for a new link. */
function expectGone({ status, body, headers }: Answer) {
  expect(status).toBe(422)
  expect(body).toContain('This link has expired, was already used, or was replaced')
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('set-cookie')).toBeNull()
  expect(headers.get('location')).toBeNull()
  expect(body).not.toMatch(/name="(refresh_)?token"/)
}

const foreignHeaders = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' },
  { origin: 'https://evil.example' },
  { origin: 'http://localhost:3000.evil.example' },
  { origin: 'http://localhost:3001' },
]

describe.each(linkKinds)('a link to $name', ({ path, mail, lastsMs }) => {
  it('does nothing when opened, sent from another site or used elsewhere; then works once until it expires, and is in no log', async () => {
    const { link, owner_id, use } = await mail(service)
    const [token = ''] = Object.values(fieldsOf(link))
    expect(token).toMatch(/^[\w-]{43}$/)
    const before = await stateOf(service, owner_id)

    for (const method of ['HEAD', 'GET']) {
      const openingAnswer = await service.call(method, link)
      expect(openingAnswer.status).toBe(200)
      expect(openingAnswer.headers.get('set-cookie')).toBeNull()
      expect(openingAnswer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(openingAnswer.headers.get('cache-control')).toBe('no-store')
    }
    expect(await stateOf(service, owner_id)).toEqual(before)

    // One check guards all forms: here with its variants, at the others that it is there.
    const headersToTry = path === linkKinds[0]?.path ? foreignHeaders : foreignHeaders.slice(0, 1)
    for (const headers of headersToTry) expect((await use(headers)).status).toBe(403)
    expect(await stateOf(service, owner_id)).toEqual(before)

    const otherPaths = [...linkKinds.map((kind) => kind.path), '/auth/first_password']
    const foreign = otherPaths.filter((other) => !other.startsWith(path.replace(/\/disown$/, '')))
    for (const other of [...foreign, '/auth/first_password/skip']) {
      const fields = { token, refresh_token: token, password: 'a password from a thief' }
      expectGone(await submit(service, other, fields))
    }
    expect((await service.post('/api/auth/exchange', { code: token })).status).toBe(401)
    const refresh = { refresh_token: token }
    expect((await service.post('/api/auth/token/refresh', refresh)).status).toBe(401)
    expect(await stateOf(service, owner_id)).toEqual(before)

    service.clock.advance(lastsMs - 30_000)
    expect((await use({ origin: 'http://localhost:3000' })).status).toBe(200)
    const after = await stateOf(service, owner_id)
    expect(after).not.toEqual(before)
    expectGone(await use())
    expectGone(await service.get(link))
    expect(await stateOf(service, owner_id)).toEqual(after)
    expect(service.logged.filter((line) => line.includes(token))).toEqual([])
  })

  it('expires', async () => {
    const late = await mail(service)
    const before = await stateOf(service, late.owner_id)
    service.clock.advance(lastsMs)
    expectGone(await late.use())
    expectGone(await service.get(late.link))
    expect(await stateOf(service, late.owner_id)).toEqual(before)
  })

  it('accepts no other token', async () => {
    for (const token of ['', 'a'.repeat(43), '🦀']) {
      const fields = { token, refresh_token: token, password: 'a password from a thief' }
      expectGone(await submit(service, path, fields))
    }
    expectGone(await service.get(`${path.replace(/\/disown$/, '')}?token=a&token=b`))
  })
})

it('the form of a link accepts no NUL, not many fields and no large ones', async () => {
  const path = '/auth/reset_password'
  for (const token of ['x', 'a'.repeat(8_000), "' or 1=1--"])
    expectGone(await submit(service, path, { token, password: 'a password from a thief' }))
  expect((await submit(service, path, { token: '\u0000' })).status).toBe(400)
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, 'x']))
  expect((await submit(service, path, many)).status).toBe(400)
  expect((await submit(service, path, { password: 'x'.repeat(20_000) })).status).toBe(413)
})
