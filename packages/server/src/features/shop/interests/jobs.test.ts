import { randomUUID } from 'node:crypto'
import { spokenNames } from '@emojid/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, grant, newId } from '../../../../test/support/ids.ts'
import {
  type MailedService,
  mailedService,
  newcomer,
  type Person,
  press,
  register,
  registerAs,
  submit,
} from '../../../../test/support/people.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import { dayMs } from '../../../platform/time.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await mailedService()
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service.close())

const subject = (id: string) => `${id} is available`
const want = async (by: Person, emoji_id: string) =>
  expect((await by.post('/api/user_interests', { emoji_id })).status).toBe(200)
const wants = async (by: Person, id: string) =>
  (await by.get(`/api/user_interests/${encodeURIComponent(id)}`)).status === 200
const confirmed = () => newcomer(service, { isVerified: true })
const noticesTo = async ({ email }: Person, id: string) => {
  await service.settle()
  return service.mailsTo(email).filter((mail) => mail.subject === subject(id))
}
/** Grants an id for a moment and revokes it. */
const free = async (id: string) => {
  await grant(admin, { user_id: admin.id }, id)
  expect((await admin.delete(at(id))).status).toBe(200)
}

describe('an id that becomes available', () => {
  it('an available id is emailed to its watchers with its price, a link to buy it, and an unsubscribe link', async () => {
    const [owner, anna] = [await confirmed(), await confirmed()]
    const id = await grant(admin, { user_id: owner.id }, '❤🦀🌴🌴')
    await want(anna, id)
    expect((await owner.delete(at(id))).status).toBe(200)
    const mail = await service.mailTo(anna.email)
    const listAnswer = await anna.get(`/api/user_interests/${encodeURIComponent(id)}`)
    expect(listAnswer.json()).toMatchObject({ notified_at: expect.any(String) })
    const search = await service.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`)
    const { price } = search.json<{ result: { price: number } }>().result

    expect(mail?.subject).toBe(subject('❤️🦀🌴🌴'))
    const page = `http://localhost:3000/?q=${encodeURIComponent('❤️🦀🌴🌴')}`
    expect(price).toBeGreaterThan(0)
    for (const text of [mail?.text, mail?.html]) {
      expect(text).toContain('❤️🦀🌴🌴')
      expect(text).toContain(`$${(price / 100).toFixed(2)}`)
      expect(text).toContain(page)
      expect(text).toMatch(/http:\/\/localhost:3000\/auth\/end_interest\?token=[\w-]{43}/)
    }
  })

  it('a revoked id is emailed to its watchers once its rest is over', async () => {
    const [owner, anna] = [await confirmed(), await confirmed()]
    const id = await grant(admin, { user_id: owner.id })
    await want(anna, id)
    const takenAnswer = await admin.delete(`/api/admin/emoji_ids/${encodeURIComponent(id)}`)
    expect(takenAnswer.status).toBe(200)
    expect(await noticesTo(anna, id)).toHaveLength(0)
    await service.db
      .updateTable('reservations')
      .set({ until: new Date(0) })
      .where('emoji_id', '=', id)
      .execute()
    await addJob(service.db, 'emoji_ids.sweep')
    expect(await noticesTo(anna, id)).toHaveLength(1)
  })

  it('an id is emailed once per registration, however often it becomes available, and not after the interest was deleted', async () => {
    const [anna, bert, id] = [await confirmed(), await confirmed(), newId()]
    await want(anna, id)
    for (let round = 0; round < 2; round++) await free(id)
    expect(await noticesTo(anna, id)).toHaveLength(1)
    expect(await wants(anna, id)).toBe(true)
    const carl = await confirmed()
    await want(bert, id)
    await want(carl, id)
    await carl.delete(`/api/user_interests/${encodeURIComponent(id)}`)
    await want(carl, newId())
    await free(id)
    expect(await noticesTo(bert, id)).toHaveLength(1)
    expect(await noticesTo(anna, id)).toHaveLength(1)
    expect(await noticesTo(carl, id)).toEqual([])

    await anna.delete(`/api/user_interests/${encodeURIComponent(id)}`)
    await want(anna, id)
    await free(id)
    expect(await noticesTo(anna, id)).toHaveLength(2)
  })

  it('an available id is not emailed to unconfirmed addresses, to accounts without one, or to inactive accounts', async () => {
    const id = newId()
    const [unconfirmedPerson, idle, nameless, anna] = [
      await register(service),
      await confirmed(),
      await register(service, { email: null, alternate_id: randomUUID(), source: 'an app' }),
      await confirmed(),
    ]
    for (const watcher of [unconfirmedPerson, idle, nameless, anna]) await want(watcher, id)
    const reason = { reason: 'Left us' }
    await admin.post(`/api/admin/users/${idle.id}/deactivate`, reason)
    await free(id)

    expect(await noticesTo(anna, id)).toHaveLength(1)
    expect([...(await noticesTo(unconfirmedPerson, id)), ...(await noticesTo(idle, id))]).toEqual(
      [],
    )
    await press(service, await service.linkTo(unconfirmedPerson.email))
    await free(id)
    expect(await noticesTo(unconfirmedPerson, id)).toHaveLength(1)
  })

  it('an id that another buyer holds is not emailed before it is available again', async () => {
    const [anna, id] = [await confirmed(), newId()]
    const hold = { emoji_id: id, user_id: admin.id, order_id: randomUUID() }
    const expires_at = new Date(service.clock.now().getTime() + 60_000)
    await want(anna, id)
    await grant(admin, { user_id: admin.id }, id)
    await service.db
      .insertInto('holds')
      .values({ ...hold, expires_at })
      .execute()
    expect((await admin.delete(at(id))).status).toBe(200)
    expect(await noticesTo(anna, id)).toEqual([])
    expect(await wants(anna, id)).toBe(true)

    await service.db.deleteFrom('holds').where('emoji_id', '=', id).execute()
    await free(id)
    expect(await noticesTo(anna, id)).toHaveLength(1)
  })

  it('an available id without a price is not emailed', async () => {
    const anna = await confirmed()
    await want(anna, '🦀')
    await free('🦀')
    expect(await noticesTo(anna, '🦀')).toEqual([])
  })
})

describe('a user who disowns a registration', () => {
  it('loses the interests of the account', async () => {
    const [stranger, id] = [await register(service), newId()]
    await want(stranger, id)
    const link = await service.linkTo(stranger.email)
    expect((await press(service, link, '/disown')).status).toBe(200)
    const remainingQuery = service.db
      .selectFrom('interests')
      .select('id')
      .where('emoji_id', '=', id)
    expect(await remainingQuery.execute()).toEqual([])
  })
})

describe('the link in the email', () => {
  const prepareNotice = async () => {
    const [anna, id] = [await confirmed(), newId()]
    await want(anna, id)
    await free(id)
    const link = await service.linkTo(anna.email)
    return { anna, id, link, token: new URL(link, service.address).searchParams.get('token') ?? '' }
  }

  it('ends the interest in its id by its button, without a sign-in, once', async () => {
    const { anna, id, link, token } = await prepareNotice()
    const other = newId()
    await want(anna, other)
    await free(other)
    const otherLink = await service.linkTo(anna.email, 2)
    const page = await service.get(link)
    expect(page.body).toContain(`emoji id: ${spokenNames(id)}`)
    expect(page.headers.get('cache-control')).toContain('no-store')

    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await submit(service, '/auth/end_interest', { token }, headers)).status).toBe(403)
    for (const path of ['confirm_email', 'magic_link', 'undo_change', 'change_email']) {
      const answer = await submit(service, `/auth/${path}`, { token, refresh_token: token })
      expect([path, answer.status]).toEqual([path, 422])
    }
    for (const wrong of ['', 'x', 'A'.repeat(43), "' OR 1=1--"]) {
      expect((await submit(service, '/auth/end_interest', { token: wrong })).status).toBe(422)
    }
    const odd = await submit(service, '/auth/end_interest', { token: '\u0000' })
    expect(odd.status).toBe(400)
    expect(await wants(anna, id)).toBe(true)

    expect((await press(service, link)).status).toBe(200)
    expect([await wants(anna, id), await wants(anna, other)]).toEqual([false, true])
    expect((await service.get(link)).status).toBe(422)
    expect((await submit(service, '/auth/end_interest', { token })).status).toBe(422)
    // It also works when the interest has already ended.
    await anna.delete(`/api/user_interests/${encodeURIComponent(other)}`)
    expect((await press(service, otherLink)).status).toBe(200)
  })

  it('works for 90 days and no longer', async () => {
    const { link } = await prepareNotice()
    service.clock.advance(90 * dayMs - 60_000)
    expect((await service.get(link)).status).toBe(200)
    service.clock.advance(120_000)
    expect((await press(service, link)).status).toBe(422)
  })
})
