import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { at, grant, recordsOf } from '../support/ids.ts'
import {
  type MailedService,
  newcomer,
  type Person,
  press,
  register,
  registerAs,
  submit,
} from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
})
// Its session expires when a test moves the clock.
beforeEach(async () => {
  admin = await registerAs(service, 'Admin')
})

const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const otherBitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const insert = async (by: Pick<Person, 'patch'>, id: string, tag: string, data: string) =>
  expect((await by.patch(at(id), { insert: [{ tag, data }] })).status).toBe(200)
const dataOf = async (id: string) => (await recordsOf(service, id)).map(({ data }) => data)
const tokenIn = (link: string) => new URL(link, service.address).searchParams.get('token') ?? ''

/** An id with a changed address, and the link from the email about it. */
const changed = async () => {
  const anna = await newcomer(service)
  const id = await grant(admin, { user_id: anna.id })
  await insert(anna, id, '0x1003', bitcoin)
  // Mails overtake each other.
  await service.mailTo(anna.email, 1)
  await insert(anna, id, '0x1003', otherBitcoin)
  return { anna, id, link: await service.linkTo(anna.email, 2) }
}

describe('the undo link of a change', () => {
  it('works once for concurrent requests, by its button, and neither when only opened, as mail scanners do, nor from another site', async () => {
    const { id, link } = await changed()
    for (const method of ['HEAD', 'GET']) {
      const page = await service.call(method, link)
      expect(page.status).toBe(200)
      expect(page.headers.get('cache-control')).toContain('no-store')
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    }
    const token = { token: tokenIn(link) }
    const crossSite = { 'sec-fetch-site': 'cross-site' }
    expect((await submit(service, '/auth/undo_change', token, crossSite)).status).toBe(403)
    expect(await dataOf(id)).toEqual([otherBitcoin])
    const answers = await Promise.all(Array.from({ length: 5 }, () => press(service, link)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(4).fill(422)])
    expect((await submit(service, '/auth/undo_change', token)).status).toBe(422)
    expect((await service.get(at(id, '/history'))).json()).toHaveLength(3)
    expect(await dataOf(id)).toEqual([bitcoin])
  })

  it('the undo link of a change shows the current removals and restorations to the owners of the id alone', async () => {
    const { anna, id, link } = await changed()
    const readItems = async () =>
      [...(await service.get(link)).body.matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text)
    expect(await readItems()).toEqual([
      `BTC ${otherBitcoin} will be removed`,
      `BTC ${bitcoin} will be restored`,
    ])
    await insert(anna, id, '0x1003', `${bitcoin}|<b>||t`)
    const marked = 'neither labelled nor the default'
    expect(await readItems()).toEqual([`BTC ${bitcoin} will be ${marked}`])
    await insert(anna, id, '0x1003', bitcoin)
    expect((await service.get(link)).body).toContain('already been restored')
    expect((await anna.delete(at(id))).status).toBe(200)
    await grant(admin, { user_id: admin.id }, id)
    await insert(admin, id, '0x1003', otherBitcoin)
    const page = await service.get(link)
    expect([page.status, page.body.includes(otherBitcoin)]).toEqual([422, false])
  })

  it('the undo link of a change has no effect after another owner, or the same one again, got the id', async () => {
    const { anna, id, link } = await changed()
    expect((await anna.delete(at(id))).status).toBe(200)
    expect((await press(service, link)).status).toBeGreaterThanOrEqual(400)
    await grant(admin, { user_id: anna.id }, id)
    expect((await press(service, link)).status).toBe(422)
    await insert(anna, id, '0x1003', otherBitcoin)
    expect((await press(service, link)).status).toBe(422)
    expect(await dataOf(id)).toEqual([otherBitcoin])
  })

  it('the undo link of a change is rejected in place of any other link, and no other link undoes', async () => {
    const { id, link } = await changed()
    const { email } = await register(service, { password: null })
    const confirm = tokenIn(await service.linkTo(email))
    const wrong = await submit(service, '/auth/undo_change', { token: confirm })
    expect(wrong.status).toBe(422)
    for (const path of ['confirm_email', 'reset_password', 'magic_link', 'change_email']) {
      const fields = { token: tokenIn(link), refresh_token: tokenIn(link), password: 'a new one 1' }
      const answer = await submit(service, `/auth/${path}`, fields)
      expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true])
    }
    for (const token of ['', 'x', 'A'.repeat(43), "' OR 1=1--"]) {
      expect((await submit(service, '/auth/undo_change', { token })).status).toBe(422)
    }
    const odd = await submit(service, '/auth/undo_change', { token: '\u0000' })
    expect(odd.status).toBe(400)
    expect(await dataOf(id)).toEqual([otherBitcoin])
    expect((await press(service, link)).status).toBe(200)
  })

  it('expires after an hour', async () => {
    const { id, link } = await changed()
    service.clock.advance(58 * 60_000)
    expect((await service.get(link)).status).toBe(200)
    service.clock.advance(3 * 60_000)
    expect((await service.get(link)).status).toBe(422)
    const submitAnswer = await submit(service, '/auth/undo_change', { token: tokenIn(link) })
    expect(submitAnswer.status).toBe(422)
    expect(await dataOf(id)).toEqual([otherBitcoin])
  })
})
