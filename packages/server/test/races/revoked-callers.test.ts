import { randomBytes } from 'node:crypto'
import { Wallet } from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import { newApplication, newOrganization } from '../support/applications.ts'
import { at, grant, newId, recordsOf } from '../support/ids.ts'
import { runInLockOrder } from '../support/in-line.ts'
import {
  goodPassword,
  type MailedService,
  newcomer,
  type Person,
  registerAs,
  submit,
} from '../support/people.ts'
import { keyPair } from '../support/schnorr.ts'
import type { Answer } from '../support/service.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Super')
})

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const owners = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const insert = [{ tag: '0x1003', data: bitcoin }]
const newUser = () => newcomer(service, { password: goodPassword, isVerified: true })
const keyOf = (api_key: string) => ({ headers: { 'x-api-key': api_key } })

/** An owner of an organization with ids, and the token of their "not me" link. */
async function victim() {
  const person = await newUser()
  const other = await newUser()
  const id = await grant(admin, { user_id: person.id })
  const locked = await grant(admin, { user_id: person.id })
  await person.patch(at(locked), { insert: [{ tag: '0x1003', data: owners }] })
  expect((await person.put(at(locked, '/delay_lock'), { hours: 1 })).status).toBe(200)
  const organization_id = await newOrganization(admin)
  const path = `/api/admin/organizations/${organization_id}`
  const owner = await admin.put(`${path}/members/${person.id}`, { role: 'OrgOwner' })
  expect(owner.status).toBe(200)
  const application = await newApplication(service, admin, { organization_id })
  const keyResponse = await person.post('/api/api_keys', { name: 'first' })
  await service.settle()
  const mail = service
    .mailsTo(person.email)
    .findLast(({ subject }) => subject === 'An API key was created')
  const token = /not_me\?token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  const { api_key } = keyResponse.json<{ api_key: string }>()
  return { person, other, id, locked, path, application, organization_id, token, api_key }
}

type Victim = Awaited<ReturnType<typeof victim>>

const connect = async ({ person }: Victim) => {
  const wallet = new Wallet(`0x${randomBytes(32).toString('hex')}`)
  const text = `Connect this wallet to my Emoji Id Directory account ${person.id}.`
  const signature = await wallet.signMessage(text)
  const body = { signature, eth_address: wallet.address, source: 'Dashboard' }
  return person.post('/api/wallets', body)
}

const writes = {
  'an API key': ({ person }) => person.post('/api/api_keys', { name: 'slip' }),
  'a record changed by a key': ({ api_key, id }) =>
    service.patch(at(id), { insert }, keyOf(api_key)),
  'a wallet': connect,
  'a public key': ({ person }) => person.post(`/api/pubkeys/${keyPair().pubkey}`),
  'a second factor': ({ person }) =>
    person.post('/api/account/2fa/enable', { provider: 'AuthenticatorApp' }),
  'a transfer': ({ person, id, other }) =>
    person.post('/api/transfers', { eid: id, email: other.email }),
  'a planned change': ({ person, locked }) => person.patch(at(locked), { insert }),
  'a changed address': ({ person, id }) => person.patch(at(id), { insert }),
  'a delay lock': ({ person, id }) => person.put(at(id, '/delay_lock'), { hours: 72 }),
  'an invitation': ({ person, path, other }) =>
    person.post(`${path}/invitations`, { email: other.email, role: 'OrgOwner' }),
  'a secret of an application': ({ person, application }) =>
    person.post(`/api/admin/oauth_clients/${application.client_id}/secrets`),
  'a name': ({ person }) => person.patch('/api/account', { first_name: 'Slip' }),
} satisfies Record<string, (of: Victim) => Promise<Answer>>

type WriteName = keyof typeof writes
/** Four of them wait for the account at once. */
const writeGroups: [WriteName, WriteName, WriteName, WriteName][] = [
  ['an API key', 'a wallet', 'a transfer', 'an invitation'],
  ['a record changed by a key', 'a public key', 'a planned change', 'a secret of an application'],
  ['a second factor', 'a changed address', 'a delay lock', 'a name'],
]

const operatorsActions: Record<
  string,
  (rogue: Person, subject: Person, id: string) => Promise<Answer>
> = {
  'grant of an id': (rogue, { id: user_id }) =>
    rogue.post('/api/admin/emoji_ids', { emoji_id: newId(), user_id }),
  'revocation of an id': (rogue, _, id) =>
    rogue.delete(`/api/admin/emoji_ids/${encodeURIComponent(id)}?reason=Mine`),
  import: (rogue, { id: user_id }) =>
    rogue.post('/api/admin/emoji_ids/import', { rows: [{ emoji_id: newId(), user_id }] }),
  'state of a token': (rogue, _, id) =>
    rogue.put(`/api/admin/emoji_ids/${encodeURIComponent(id)}/minted`, { minted: true }),
}

describe('a request that waits for the account while its access is revoked', () => {
  it.each(writeGroups)(
    'is refused: after "not me" there is no %s, %s, %s or %s',
    async (...names) => {
      const of = await victim()
      const [notMeResponse, ...racedAnswers] = await runInLockOrder<Answer>(
        service,
        of.person.id,
        () => submit(service, '/auth/not_me', { token: of.token }),
        ...names.map((name) => () => writes[name](of)),
      )

      expect(notMeResponse?.status).toBe(200)
      const outcomes = racedAnswers.map(({ status, json }) => [status, json()['code']])
      expect(outcomes).toEqual(names.map(() => [401, 'invalid_token']))
      expect(await recordsOf(service, of.id)).toEqual([])
    },
  )

  it('a request that waits for the account while its access is revoked is refused after a deactivation, also of an operator', async () => {
    const rogue = await registerAs(service, 'Admin')
    const subject = await newUser()
    const [off, racedAnswer] = await runInLockOrder<Answer>(
      service,
      rogue.id,
      () => admin.post(`/api/admin/users/${rogue.id}/deactivate`, { reason: 'rogue' }),
      () => rogue.patch(`/api/users/${subject.id}`, { first_name: 'Slip', reason: 'A test' }),
    )

    expect(off?.status).toBe(200)
    expect(racedAnswer?.status).toBe(401)
  })

  it.each(Object.entries(operatorsActions))(
    'of an operator is refused: after a deactivation there is no %s',
    async (_, act) => {
      const rogue = await registerAs(service, 'Admin')
      const subject = await newUser()
      const id = await grant(admin, { user_id: subject.id })
      const [off, racedAnswer] = await runInLockOrder<Answer>(
        service,
        rogue.id,
        () => admin.post(`/api/admin/users/${rogue.id}/deactivate`, { reason: 'rogue' }),
        () => act(rogue, subject, id),
      )
      expect([off?.status, racedAnswer?.status]).toEqual([200, 401])
    },
  )
})
