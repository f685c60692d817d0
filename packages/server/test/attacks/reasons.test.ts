import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, registerAs } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
})

describe('a reason', () => {
  const make = (body: object) => admin.post('/api/admin/organizations', { name: 'Crabs', ...body })
  const unseen = [...'\u00AD\u3164\u2800\uFE0F\u180E\u2062\u2063\u2064\u{E0041}\u200B\uFEFF']
  it.each(unseen.map((text) => [`U+${text.codePointAt(0)?.toString(16)}`, text]))(
    'needs a visible character besides %s',
    async (_, text) => {
      expect((await make({ reason: text.repeat(4) })).status).toBe(400)
      expect((await make({ name: text.repeat(4) })).status).toBe(400)
      expect((await make({ reason: `Asked ${text}for` })).status).toBe(200)
    },
  )

  it.each([...'\u0000\u001B\u0007\u009F\u202E\u2066\u202A'])(
    'rejects control and direction characters: %j',
    async (text) => {
      expect((await make({ reason: `Asked for${text}it` })).status).toBe(400)
      expect((await make({ name: `Crabs${text}it` })).status).toBe(400)
      const name = `evil${text}txt.exe`
      expect((await admin.post('/api/api_keys', { name })).status).toBe(400)
      expect((await admin.patch('/api/account', { first_name: name })).status).toBe(400)
    },
  )

  it('keeps names readable that were stored before', async () => {
    const name = 'evil\u202Etxt.exe'
    const { id } = (await admin.post('/api/api_keys', { name: 'a key' })).json<{ id: string }>()
    await service.db.updateTable('api_keys').set({ name }).where('id', '=', id).execute()
    await service.db
      .updateTable('users')
      .set({ first_name: name })
      .where('id', '=', admin.id)
      .execute()
    expect((await admin.get('/api/api_keys')).json()).toMatchObject([{ name }])
    expect((await admin.patch('/api/account', { last_name: 'Ada' })).json()).toMatchObject({
      user: { first_name: name },
    })
  })

  it.each([
    'Zwei Zeilen:\nund noch eine',
    '\u05E9\u05DC\u05D5\u05DD',
    '\u{1F468}\u200D\u{1F467} asked',
  ])('a reason can have any language and several lines: %j', async (text) => {
    expect((await make({ reason: text })).status).toBe(200)
    const page = await admin.get('/api/admin/audit?event=organization.created&limit=1')
    expect(page.json<{ data: object[] }>().data).toMatchObject([{ details: { reason: text } }])
  })
})
