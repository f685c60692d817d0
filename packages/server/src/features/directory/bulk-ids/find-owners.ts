import { ServiceError } from '../../../platform/errors.ts'
import type { Transaction } from '../../../tables.ts'
import { unknownUser } from '../../operations/access/access.ts'
import { assertActive, uselessKey } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './bulk-ids.ts'
import { catchRefusal } from './catch-refusal.ts'
import { findKeys, type KeyRow, lockUsers, type UserRow } from './repository.ts'
import * as rules from './rules.ts'

export type Holders = ReadonlyMap<string, rules.Holder | ServiceError>

/** Finds the key of each owner, or the refusal why the owner gets no id. */
export async function findOwners(deps: Deps, trx: Transaction, owners: readonly rules.Owner[]) {
  const named = (ownerKind: rules.OwnerKind) => [
    ...new Set(owners.flatMap(({ kind, name }) => (kind === ownerKind ? [name] : []))),
  ]
  const users = await lockUsers(trx, named('user_id'), named('email'))
  const byId = new Map(users.map((user) => [user.id, user]))
  const byEmail = new Map(users.map((user) => [user.email, user]))
  const byPubkey = new Map(
    (await findKeys(trx, named('pubkey'))).map((key) => [key.pubkey, key] as const),
  )
  const people = [...byId.keys(), ...[...byPubkey.values()].flatMap(({ user_id }) => user_id ?? [])]
  const removedPeople = await deps.removals.findRemoved(trx, people)
  const holders = new Map<string, rules.Holder | ServiceError>()
  for (const owner of owners) {
    const { kind, name } = owner
    if (holders.has(rules.nameOf(owner))) continue
    const find = async () => {
      if (kind === 'organization_id') return holderOfOrganization(deps, trx, name)
      if (kind === 'pubkey') return holderOfKey(byPubkey.get(name))
      return kind === 'email' ? holderByEmail(byEmail.get(name)) : holderOfUser(byId.get(name))
    }
    const findAllowed = async () => {
      const holder = await find()
      const { user_id, organization_id: of } = holder
      if (removedPeople.has(user_id ?? '')) throw rules.removedOwner()
      if (of && (await deps.organizations.isHeldByBarred(trx, of))) throw rules.removedOwner()
      return holder
    }
    holders.set(rules.nameOf(owner), await catchRefusal(findAllowed))
  }
  return holders
}

async function holderOfOrganization(
  { organizations, keys }: Deps,
  trx: Transaction,
  organization_id: string,
) {
  await organizations.loadOrganizationToChange(trx, organization_id)
  const pubkey = await keys.loadKeyOfOrganization(trx, organization_id)
  return { pubkey, user_id: null, organization_id }
}

export function holderIn(holders: Holders, owner: rules.Owner): rules.Holder {
  const holder = holders.get(rules.nameOf(owner))
  if (holder instanceof ServiceError) throw holder
  if (!holder) throw new Error('The owner was not looked up')
  return holder
}

function holderByEmail(user: UserRow | undefined): rules.Holder {
  if (!user) throw rules.unknownEmail()
  const holder = holderOfUser(user)
  if (!user.email_verified_at) throw rules.unconfirmedOwner()
  return holder
}

function holderOfUser(user: UserRow | undefined): rules.Holder {
  if (!user) throw unknownUser()
  assertActive(user)
  if (!user.pubkey || !user.is_useful) throw uselessKey()
  return { pubkey: user.pubkey, user_id: user.id, organization_id: null }
}

function holderOfKey(key: KeyRow | undefined): rules.Holder {
  if (!key?.is_useful) throw uselessKey()
  assertActive({ deactivated_at: key.is_active ? null : new Date(0) })
  const { pubkey, user_id, organization_id } = key
  return { pubkey, user_id, organization_id }
}
