import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, recordsOf } from '../support/ids.ts'
import { type MailedService, newcomer, type Person, press, registerAs } from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
})

const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const otherBitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const ether = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const otherEther = '0x52908400098527886E0F7030069857D2E4169EE7'
const dataOf = async (id: string) => (await recordsOf(service, id)).map(({ data }) => data)
const edit = async (by: Pick<Person, 'patch'>, id: string, body: object) =>
  expect((await by.patch(at(id), body)).status).toBe(200)
const deactivate = (id: string) =>
  admin.post(`/api/admin/users/${id}/deactivate`, { reason: 'Scammer', suspend_ids: false })

/** An owner whose second change replaced both addresses, with the undo link of that change. */
async function changedTwice() {
  const anna = await newcomer(service, { isVerified: true })
  const id = await grant(admin, { user_id: anna.id })
  const first = [
    { tag: '0x1003', data: bitcoin },
    { tag: '0x1004', data: ether },
  ]
  const second = [
    { tag: '0x1003', data: otherBitcoin },
    { tag: '0x1004', data: otherEther },
  ]
  await edit(anna, id, { insert: first })
  await service.mailTo(anna.email, 1)
  await edit(anna, id, { insert: second })
  return { anna, id, link: await service.linkTo(anna.email, 2) }
}
const removeOf = async (id: string, data: string) =>
  (await recordsOf(service, id)).flatMap((record) => (record.data === data ? record.hash : []))

describe('an operator’s change of records', () => {
  it('is emailed to the owner without an undo link, and stays when they follow that of an earlier change, which restores the rest', async () => {
    const { anna, id, link } = await changedTwice()
    await edit(admin, id, { delete: await removeOf(id, otherBitcoin), reason: 'Stolen money' })
    const mail = await service.mailTo(anna.email, 3)
    expect(mail?.text).toContain('An operator changed')
    expect(mail?.text).toContain('no-reply@localhost')
    expect(mail?.text).not.toContain('undo_change')
    expect((await press(service, link)).status).toBe(200)
    expect((await dataOf(id)).sort()).toEqual([ether])
  })

  it('voids a link that would only restore addresses that the operator changed', async () => {
    const { id, link } = await changedTwice()
    const records = await recordsOf(service, id)
    await edit(admin, id, { delete: records.map(({ hash }) => hash), reason: 'Stolen money' })
    const answer = await press(service, link)
    expect(answer.status).toBe(422)
    expect(answer.body).toContain('An operator has changed these payment addresses')
    expect(await dataOf(id)).toEqual([])
  })

  it('that waits for a delay lock is not cancelled by an emailed link, nor by an undo', async () => {
    const { anna, id, link } = await changedTwice()
    expect((await anna.put(at(id, '/delay_lock'), { hours: 1 })).status).toBe(200)
    await service.mailTo(anna.email, 3)
    await edit(admin, id, { insert: [{ tag: '0x1003', data: bitcoin }], reason: 'Court order' })
    const mail = await service.mailTo(anna.email, 4)
    expect(mail?.text).toContain('An operator will change')
    expect(mail?.text).not.toContain('cancel_change')
    expect((await press(service, link)).status).toBe(200)
    const lock = (await anna.get(at(id, '/delay_lock'))).json<{ waiting: object | null }>()
    expect(lock.waiting).not.toBeNull()
  })
})

describe('the emailed link of a deactivated account', () => {
  it('the emailed link of a deactivated account is invalid, and stays invalid after the account is activated again', async () => {
    const { anna, id, link } = await changedTwice()
    expect((await deactivate(anna.id)).status).toBe(200)
    expect((await press(service, link)).status).toBe(422)
    expect(await dataOf(id)).toEqual([otherBitcoin, otherEther])
    const activationAnswer = await admin.post(`/api/admin/users/${anna.id}/activate`, {
      reason: 'Sorry',
    })
    expect(activationAnswer.status).toBe(200)
    expect((await press(service, link)).status).toBe(422)
    expect(await dataOf(id)).toEqual([otherBitcoin, otherEther])
  })
})
