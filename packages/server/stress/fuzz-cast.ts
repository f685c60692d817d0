import { Secret, TOTP } from 'otpauth'
import { claimsOf, goodPassword, newEmail, type Tokens } from '../test/support/people.ts'
import type { EnabledApp } from '../test/support/second-factor.ts'
import type { Shop } from './commerce-stage.ts'
import { createMemory, type Memory } from './fuzz-memory.ts'
import type { Role } from './fuzz-requests.ts'

/** New users for each story, since stories end accounts and sessions. */
export type Actor = { role: Role; headers: Record<string, string>; memory: Memory }

export async function registerPlayers(shop: Shop, role: Role): Promise<Actor> {
  const memory = createMemory()
  const headers = await credentials(shop, role, memory)
  return { role, headers, memory }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function credentials(shop: Shop, role: Role, memory: Memory) {
  if (role === 'anonymous') return {} as Record<string, string>
  if (role === 'stranger') return { authorization: 'Bearer a.b.c', 'x-api-key': 'strange' }
  if (role === 'veteran' || role === 'pending') return ofVeteran(shop, role, memory)
  const email = newEmail()
  const createdUser = await shop.operator.insist('POST', '/users', { email, activate: true })
  const tokens = read<Tokens>(createdUser)
  const operatorCredentials = bearer(tokens.access_token)
  const { sub = '' } = claimsOf(tokens.access_token)
  memory.learn({ ...tokens, email, id: sub }, 'user')
  if (role === 'admin' || role === 'admin_key') {
    read(await shop.operator.insist('PATCH', `/users/${sub}`, { role: 'Admin' }))
  }
  if (role !== 'key') await giveId(shop, sub, memory)
  if (role === 'owner') await makeOwner(shop, sub, memory)
  if (role === 'second_factor') await enable(shop, tokens)
  if (role === 'key' || role === 'admin_key') {
    const key = await ask(shop, '/api_keys', { name: 'fuzz' }, operatorCredentials)
    return { 'x-api-key': read<{ api_key: string }>(key).api_key }
  }
  return operatorCredentials
}

/** Has a password. The user with a pending code also has a second factor. */
async function ofVeteran(shop: Shop, role: 'veteran' | 'pending', memory: Memory) {
  const entry = { email: newEmail(), password: goodPassword }
  const tokens = read<Tokens>(await ask(shop, '/users', entry))
  memory.learn({ ...tokens, email: entry.email }, 'user')
  if (role === 'veteran') return bearer(tokens.access_token)
  await enable(shop, tokens)
  return bearer(read<Tokens>(await ask(shop, '/auth/token', entry)).access_token)
}

async function enable(shop: Shop, { access_token }: Tokens): Promise<void> {
  const personCredentials = bearer(access_token)
  const wish = { provider: 'AuthenticatorApp' }
  const { ga_secret } = read<EnabledApp>(
    await ask(shop, '/account/2fa/enable', wish, personCredentials),
  )
  const code = new TOTP({ secret: Secret.fromBase32(ga_secret) }).generate()
  read(await ask(shop, '/account/2fa/confirm', { code }, personCredentials))
}

/** Retries while the service is overloaded: the login must succeed. */
const ask = (shop: Shop, path: string, body: object, headers: Record<string, string> = {}) =>
  shop.patiently(() => shop.call('POST', `/api${path}`, { headers, body }))

async function giveId({ operator, newId }: Shop, user_id: string, memory: Memory): Promise<void> {
  const emoji_id = newId()
  read(await operator.insist('POST', '/admin/emoji_ids', { emoji_id, user_id }))
  memory.remember('emoji_id', emoji_id)
}

async function makeOwner({ operator }: Shop, user_id: string, memory: Memory): Promise<void> {
  const wish = { name: 'Fuzz', client_fee_percent: 10 }
  const { id } = read<{ id: string }>(await operator.insist('POST', '/admin/organizations', wish))
  const path = `/admin/organizations/${id}/members/${user_id}`
  read(await operator.insist('PUT', path, { role: 'OrgOwner' }))
  memory.remember('organization', id)
}

function read<Shape>(answer: { status: number; text: string } | undefined): Shape {
  if (answer?.status !== 200) throw new Error(`Registration failed: ${answer?.text}`)
  return JSON.parse(answer.text)
}
