import { randomBytes } from 'node:crypto'
import { Wallet } from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant } from '../support/ids.ts'
import { confirmedUser, type MailedService, type Person, registerAs } from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
let anna: Person
let own: string
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
  anna = await confirmedUser(service)
  const bert = await confirmedUser(service)
  const [sentId, coming] = [
    await grant(admin, { user_id: anna.id }),
    await grant(admin, { user_id: bert.id }),
  ]
  own = await grant(admin, { user_id: anna.id })
  for (const [by, eid, to] of [
    [anna, sentId, bert],
    [bert, coming, anna],
  ] as const) {
    const begunAnswer = await by.post('/api/transfers', { eid, email: to.email })
    expect(begunAnswer.status, begunAnswer.body).toBe(200)
  }
  const organizationResponse = await admin.post('/api/admin/organizations', { name: 'Crabs' })
  const { id } = organizationResponse.json<{ id: string }>()
  await admin.put(`/api/admin/organizations/${id}/members/${anna.id}`, { role: 'OrgController' })
  await admin.put(`/api/admin/users/${anna.id}/features`, { codes: ['beta'] })
  await anna.patch('/api/account', { first_name: 'Anna', last_name: 'Abernathy' })
  const wallet = new Wallet(`0x${randomBytes(32).toString('hex')}`)
  const message = `Connect this wallet to my Emoji Id Directory account ${anna.id}.`
  const signature = await wallet.signMessage(message)
  const connected = { signature, eth_address: wallet.address, source: 'Dashboard' }
  expect((await anna.post('/api/wallets', connected)).status).toBe(200)
})

const keyOf = async (person: Person, scopes: string[]) => {
  const keyResponse = await person.post('/api/api_keys', { name: 'a key', scopes })
  expect(keyResponse.status, keyResponse.body).toBe(200)
  return { headers: { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key } }
}

type CurrentUser = {
  user: Record<string, unknown> & { pubkeys: string[] }
  pubkeys: string[]
  features: object[]
  organization_roles: object
  organization_scopes: Record<string, string[]>
  pending_transfers: string[]
  has_password: boolean
}
type LoadAnswer = {
  current_user: CurrentUser
  extended_list: object[]
  incoming_transfers: object[]
  outgoing_transfers: { data: object[] }
  wallets: object[]
}
const personal = ['email', 'first_name', 'last_name', 'email_verified_at'] as const

/** The non-empty parts of both responses. */
const findFilledParts = (current: CurrentUser, loaded?: LoadAnswer) => {
  const parts: Record<string, boolean> = {
    personal: personal.some((member) => current.user[member] !== null),
    pubkeys: current.pubkeys.length + current.user.pubkeys.length > 0,
    features: current.features.length > 0,
    organizations: Object.keys(current.organization_roles).length > 0,
    pending: current.pending_transfers.length > 0,
    ids: (loaded?.extended_list.length ?? 0) > 0,
    incoming: (loaded?.incoming_transfers.length ?? 0) > 0,
    outgoing: (loaded?.outgoing_transfers.data.length ?? 0) > 0,
    wallets: (loaded?.wallets.length ?? 0) > 0,
  }
  return Object.keys(parts).filter((part) => parts[part])
}
const ofPerson = ['personal', 'pubkeys', 'features']
const table: [scopes: string[], account: string[] | 403, load: string[] | 403][] = [
  [['edition:read'], 403, 403],
  [['userData:update'], 403, 403],
  [['user:writeSelf'], ofPerson, [...ofPerson, 'wallets']],
  [['emoji::transfer'], ['pending'], ['pending', 'incoming', 'outgoing']],
  [['userEmoji:list'], 403, ['ids']],
  [['organizationList:read'], ['organizations'], 403],
  [['organizationEmoji:list'], 403, []],
  [['userEmoji:list', 'emoji::transfer'], ['pending'], ['pending', 'ids', 'incoming', 'outgoing']],
]

describe('the parts of an account that a key sees', () => {
  it.each(table)('match its scopes: %o', async (scopes, account, load) => {
    const key = await keyOf(anna, scopes)
    const accountResponse = await service.get('/api/account', key)
    expect(
      accountResponse.status === 200
        ? findFilledParts(accountResponse.json<CurrentUser>())
        : accountResponse.status,
    ).toEqual(account)
    const loadedAnswer = await service.get('/api/account/load', key)
    const parts = () =>
      findFilledParts(loadedAnswer.json<LoadAnswer>().current_user, loadedAnswer.json<LoadAnswer>())
    expect(loadedAnswer.status === 200 ? parts() : loadedAnswer.status).toEqual(load)
    for (const { status, body } of [accountResponse, loadedAnswer]) {
      if (status !== 200 || scopes.includes('user:writeSelf')) continue
      expect(body).not.toMatch(/Abernathy|0x[0-9a-f]{40}/i)
      // Transfers name their recipient.
      if (!scopes.includes('emoji::transfer')) expect(body).not.toContain(anna.email)
    }
  })

  it('cover every member of the response', async () => {
    const key = await keyOf(anna, ['emoji::transfer'])
    for (const path of ['/api/account', '/api/account/load']) {
      const [whole, part] = [await anna.get(path), await service.get(path, key)]
      // Notifications belong to the web: a key reads none.
      const members = membersOf(whole.json()).filter(
        (one) => !one.endsWith('.unread_notifications'),
      )
      const isNote = (one: string) => /\.withheld\b/.test(one)
      expect(members.filter(isNote)).toEqual([])
      expect(membersOf(part.json()).filter((one) => !isNote(one))).toEqual(members)
    }
  })

  it('the parts of an account that a key sees are empty exactly where the response says that they are withheld', async () => {
    type Note = { withheld?: string[] }
    for (const scopes of [
      ['user:writeSelf'],
      ['emoji::transfer'],
      ['user:writeSelf', 'emoji::transfer', 'organizationList:read', 'userEmoji:list'],
    ]) {
      const key = await keyOf(anna, scopes)
      const has = (scope: string) => scopes.includes(scope)
      const account = (await service.get('/api/account', key)).json<Note>().withheld ?? []
      const personalMembers = ['features', 'pubkeys', 'user.email', 'user.pubkeys', 'has_password']
      for (const name of personalMembers)
        expect(account.includes(name)).toBe(!has('user:writeSelf'))
      expect(account.includes('organization_roles')).toBe(!has('organizationList:read'))
      expect(account.includes('pending_transfers')).toBe(!has('emoji::transfer'))
      const answer = await service.get('/api/account/load', key)
      const loaded = answer.json<LoadAnswer & Note>()
      const { withheld = [] } = loaded
      expect((loaded.current_user as CurrentUser & Note).withheld ?? []).toEqual(account)
      expect(withheld.includes('extended_list')).toBe(!has('userEmoji:list'))
      expect(withheld.includes('wallets')).toBe(!has('user:writeSelf'))
      for (const name of ['incoming_transfers', 'outgoing_transfers'])
        expect(withheld.includes(name)).toBe(!has('emoji::transfer'))
    }
  })

  it('the parts of an account that a key sees do not hide that events of its account are missing', async () => {
    const events = async (scopes: string[]) =>
      (await service.get('/api/events', await keyOf(anna, scopes))).json<{ withheld?: string[] }>()
        .withheld
    expect(await events(['order:readSelf'])).toEqual(['order', 'transfer'])
    expect(await events(['order:readSelf', 'emoji::transfer'])).toBeUndefined()
    const strangerAsks = async (query: string) =>
      (await service.get(`/api/events${query}`)).json<{ withheld?: string[] }>().withheld
    expect(await strangerAsks('?types=emoji_id.registered,order.paid')).toEqual(['order'])
    expect(await strangerAsks('?types=emoji_id.registered')).toBeUndefined()
    expect(await strangerAsks('')).toBeUndefined()
  })

  it('list the rights of the key in organizations, not those of its maker', async () => {
    const scopesWith = async (scopes: string[]) =>
      Object.values(
        (await service.get('/api/account', await keyOf(anna, scopes))).json<CurrentUser>()
          .organization_scopes,
      )
    expect(await scopesWith(['organizationList:read'])).toEqual([[]])
    const both = ['organizationList:read', 'organizationEmoji:list']
    expect(await scopesWith(both)).toEqual([['organizationEmoji:list']])
  })

  it('another user’s account is complete for operators with load, and includes ids for operators with the id scope', async () => {
    const path = `/api/account/load?user_id=${anna.id}`
    const narrow = await service.get(path, await keyOf(admin, ['adminUser:load']))
    const { current_user, ...loaded } = narrow.json<LoadAnswer>()
    expect(current_user.user['email']).toBe(anna.email)
    expect([loaded.extended_list.length, loaded.wallets.length]).toEqual([0, 1])
    const wide = await service.get(path, await keyOf(admin, ['adminUser:load', 'adminEmoji:load']))
    expect(wide.json<LoadAnswer>().extended_list.length).toBe(2)
    expect((await service.get(path, await keyOf(admin, ['user:writeSelf']))).status).toBe(403)
  })
})

describe('a key for reading editions', () => {
  it('reads nothing else and acts for its maker nowhere', async () => {
    const key = await keyOf(anna, ['edition:read'])
    const reads = [
      '/account',
      '/account/load',
      '/account/emoji_ids',
      '/account/pubkeys',
      '/pubkeys',
    ]
    for (const path of [
      ...reads,
      '/wallets',
      '/emoji_id',
      '/emoji_id/extended',
      '/user_features',
    ]) {
      expect([path, (await service.get(`/api${path}`, key)).status]).toEqual([path, 403])
    }
    const call = { service: 'Echo', data: {} }
    expect((await service.post('/api/proxy', call, key)).status).toBe(403)
    expect((await service.get(at(own, '/changes'), key)).status).toBe(403)
  })

  it('registers users like an anonymous client, without scoped members', async () => {
    const body = { email: `k-${anna.id}@example.com`, activate: true, reason: 'Mine' }
    const registrationAnswer = await service.post(
      '/api/users',
      body,
      await keyOf(anna, ['edition:read']),
    )
    expect(registrationAnswer.status).toBe(200)
    const user = await service.db
      .selectFrom('users')
      .select('email_verified_at')
      .where('email', '=', body.email)
      .executeTakeFirstOrThrow()
    expect(user.email_verified_at).toBeNull()
  })
})

/** Every path to a member. Lists are not expanded. */
function membersOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [`${path}[]`]
  if (value === null || typeof value !== 'object' || /scopes|roles/.test(path)) return [path]
  return Object.entries(value).flatMap(([name, member]) => {
    const isNullable = member === null || typeof member !== 'object'
    return isNullable || /two_factor_auth$/.test(name)
      ? [`${path}.${name}`]
      : membersOf(member, `${path}.${name}`)
  })
}
