import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, grant } from '../../../../test/support/ids.ts'
import {
  goodPassword,
  type MailedService,
  mailedService,
  newcomer,
  type Person,
  registerAs,
} from '../../../../test/support/people.ts'
import { transferSteps } from '../../../../test/support/transfers.ts'
import { transact } from '../../../platform/database/database.ts'
import { dayMs } from '../../../platform/time.ts'
import { type Notifications, purgeNotifications } from './notifications.ts'

let service: MailedService
let notifications: Notifications
let admin: Person
beforeAll(async () => {
  service = await mailedService({
    override: (container) => {
      notifications = container.notifications
      return container
    },
  })
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service?.close())

type NotificationList = {
  data: {
    id: string
    kind: string
    title: string
    text: string
    page: string
    read_at: string | null
  }[]
  next: string | null
  unread: number
}
const listOf = async ({ get }: Pick<Person, 'get'>, query = '') => {
  const answer = await get(`/api/account/notifications${query}`)
  expect(answer.status).toBe(200)
  return answer.json<NotificationList>()
}
const kindsOf = async (person: Person) => (await listOf(person)).data.map(({ kind }) => kind)
const unreadOf = async ({ get }: Person) =>
  (await get('/api/account')).json<{ unread_notifications?: number }>().unread_notifications
const newUser = () => newcomer(service, { isVerified: true, password: goodPassword })
const notify = ({ id, email }: Person, title: string) =>
  transact(service.db, (trx) =>
    notifications.queueMail(trx, {
      to: email,
      user_id: id,
      kind: 'security_notice',
      page: '/account/security',
      letter: { subject: title, before: 'Something happened.', after: '' },
    }),
  )

describe('GET /account/notifications', () => {
  it('tells of an offered, a received and a changed id, without codes and one-time links', async () => {
    const steps = transferSteps(service, admin)
    const { bert, anna, id, transfer, code } = await steps.offered({ clear_on_transfer: true })
    expect(await kindsOf(bert)).toEqual(['transfer_code'])
    expect(await unreadOf(bert)).toBe(1)
    // The sender’s code is no event.
    expect(await kindsOf(anna)).toEqual([])
    expect((await steps.accept(bert, transfer, code)).status).toBe(200)
    const insert = [{ tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }]
    expect((await bert.patch(at(id), { insert })).status).toBe(200)
    const reason = { reason: 'It was reported as fraud.' }
    const path = `/api/admin/emoji_ids/${encodeURIComponent(id)}`
    expect((await admin.post(`${path}/suspend`, reason)).status).toBe(200)

    const answer = await listOf(bert)
    expect(answer.data.map(({ kind, page }) => [kind, page])).toEqual([
      ['ids_suspended', '/account'],
      ['records_changed', `/account/ids/${id}`],
      ['transfer_received', `/account/ids/${id}`],
      ['transfer_code', '/account/transfers'],
    ])
    expect(answer.data[0]?.text).toContain('It was reported as fraud.')
    expect(await kindsOf(anna)).toEqual(['security_notice'])
    const body = JSON.stringify(answer)
    expect(body).not.toContain(code)
    expect(body).not.toMatch(/https?:|token=|#[\w-]{20}/)
  })

  it('reads page by page, and marks those up to the newest seen as read', async () => {
    const anna = await newUser()
    for (const title of ['One', 'Two', 'Three']) await notify(anna, title)
    const first = await listOf(anna, '?limit=2')
    expect(first).toMatchObject({ unread: 3, next: first.data[1]?.id })
    const rest = await listOf(anna, `?limit=2&before=${first.next}`)
    expect(rest).toMatchObject({ next: null })
    const titles = [...first.data, ...rest.data].map(({ title }) => title)
    expect(titles).toEqual(['Three', 'Two', 'One'])

    const up_to = first.data[1]?.id
    const mark = (who: Person) => who.post('/api/account/notifications/read', { up_to })
    expect((await mark(await newUser())).json()).toEqual({ unread: 0 })
    expect(await unreadOf(anna)).toBe(3)
    expect((await mark(anna)).json()).toEqual({ unread: 1 })
    const after = await listOf(anna)
    expect(after.data.map(({ read_at }) => read_at !== null)).toEqual([false, true, true])
    // The cursor of another account reads nothing.
    const stranger = await newUser()
    await notify(stranger, 'Four')
    expect((await listOf(stranger, `?before=${up_to}`)).data).toEqual([])
    for (const query of ['limit=0', 'before=1'])
      expect((await anna.get(`/api/account/notifications?${query}`)).status).toBe(400)
  })

  it('refuses API keys, which also see no count', async () => {
    const anna = await newUser()
    const answer = await anna.post('/api/api_keys', { name: 'a program' })
    const { api_key } = answer.json<{ api_key: string }>()
    const by = { headers: { 'x-api-key': api_key } }
    expect((await service.get('/api/account/notifications', by)).status).toBe(403)
    const account = (await service.get('/api/account', by)).json()
    expect(account).not.toHaveProperty('unread_notifications')
    expect(await kindsOf(anna)).toEqual(['security_notice'])
  })

  it('tells once of sign-ins from a browser that is new to the account', async () => {
    const anna = await newUser()
    const logIn = async (agent: string) => {
      const body = { email: anna.email, password: goodPassword }
      const answer = await service.post('/api/auth/token', body, {
        headers: { 'user-agent': agent },
      })
      expect(answer.status).toBe(200)
    }
    await logIn('Firefox/140.0')
    expect(await kindsOf(anna)).toEqual(['sign_in'])
    await logIn('Firefox/141.2')
    await logIn('Safari/1')
    expect(await kindsOf(anna)).toEqual(['sign_in'])
  })
})

describe('repeated offers', () => {
  it('repeated offers leave one unread notification, reach a recipient five times a day, and push nothing out', async () => {
    const steps = transferSteps(service, admin)
    const { anna, bert, id, transfer } = await steps.offered()
    await notify(bert, 'Your password was changed')
    const cancel = (one: { id: string }) => anna.delete(steps.path(one))
    expect((await cancel(transfer)).status).toBe(200)
    const again = await steps.post(anna, { eid: id, email: bert.email })
    expect((await steps.confirm(anna, again, await steps.codeTo(anna, 2))).status).toBe(200)
    expect((await cancel(again)).status).toBe(200)
    const transferRow = await service.db
      .selectFrom('transfers')
      .selectAll()
      .where('id', '=', again.id)
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: 3 }, () => ({ ...transferRow, id: randomUUID() }))
    await service.db.insertInto('transfers').values(copies).execute()
    const sixth = await anna.post('/api/transfers', { eid: id, email: bert.email })
    expect([sixth.status, sixth.body]).toEqual([429, expect.stringContaining('too_many_transfers')])
    await steps.post(anna, { eid: id, email: (await newUser()).email })
    expect(await kindsOf(bert)).toEqual(['transfer_news', 'security_notice'])

    const created_at = new Date(service.clock.now().getTime() + 1_000)
    const row = { user_id: bert.id, kind: 'transfer_code', title: 'Offer', text: '', page: '/' }
    const many = Array.from({ length: 205 }, () => ({ ...row, created_at, read_at: null }))
    await service.db.insertInto('notifications').values(many).execute()
    await notify(bert, 'Your email address was changed')
    const rows = await service.db
      .selectFrom('notifications')
      .select('title')
      .where('user_id', '=', bert.id)
      .where('kind', '=', 'security_notice')
      .execute()
    expect(rows).toHaveLength(2)
  })
})

describe('kept notifications', () => {
  it('end after 90 days, beyond 200, and with the account; the export has them', async () => {
    const anna = await newUser()
    await notify(anna, 'Old')
    const { id } = (await listOf(anna)).data[0] ?? {}
    const long = new Date(service.clock.now().getTime() - 91 * dayMs)
    const row = { user_id: anna.id, kind: 'x', title: 'Many', text: '', page: '/account' }
    const many = Array.from({ length: 205 }, () => ({ ...row, created_at: long, read_at: long }))
    await service.db.insertInto('notifications').values(many).execute()
    await notify(anna, 'New')
    const count = async () => {
      const rows = service.db.selectFrom('notifications').where('user_id', '=', anna.id)
      return (await rows.select('id').execute()).length
    }
    expect(await count()).toBe(200)
    await purgeNotifications(service.db, service.clock.now())
    const titles = (await listOf(anna)).data.map(({ title }) => title)
    expect(titles).toEqual(['New', 'Old'])

    const exported = (await anna.get('/api/account/export')).json<Record<string, unknown[]>>()
    expect(exported['notifications']).toMatchObject([{ title: 'Old' }, { title: 'New' }])
    expect(id).toBeDefined()
    expect((await anna.delete(`/api/users/${anna.id}`)).status).toBe(200)
    expect(await count()).toBe(0)
  })

  it('roll back with their cause', async () => {
    const anna = await newUser()
    const cause = transact(service.db, async (trx) => {
      await notifications.notifyOfSignIn(trx, anna.id)
      throw new Error('The cause failed')
    })
    await expect(cause).rejects.toThrow('The cause failed')
    expect(await kindsOf(anna)).toEqual([])
    await grant(admin, { user_id: anna.id })
  })
})
