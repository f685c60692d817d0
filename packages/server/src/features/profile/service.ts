import {
  assertInOrganization,
  assertScope,
  type Principal,
  SecondFactorMissingError,
  scopesInOrganization,
  scopesOfRole,
} from '../access/index.ts'
import type { AccountChange, Accounts } from '../accounts/index.ts'
import { type EmojiIds, listItem } from '../emoji-ids/index.ts'
import type { Organizations } from '../organizations/index.ts'
import type { Sessions } from '../sessions/index.ts'
import type { Transfers } from '../transfers/index.ts'
import type { Users } from '../users/index.ts'
import type { Wallets } from '../wallets/index.ts'
import { maySee, noTransfers, withoutPersonal } from './rules.ts'

export type Profile = ReturnType<typeof createProfile>

type Options = {
  accounts: Accounts
  users: Users
  organizations: Organizations
  sessions: Sessions
  wallets: Wallets
  emojiIds: EmojiIds
  transfers: Transfers
}

/** What somebody sees of their own account, gathered from everywhere. */
export function createProfile({
  accounts,
  users,
  organizations,
  sessions,
  wallets,
  emojiIds,
  transfers,
}: Options) {
  const describe = async (user_id: string, caller: Principal) => {
    const user = await accounts.load(user_id)
    const isPersonal = maySee(caller, 'user:writeSelf')
    const [shown, features, own, pending_transfers] = await Promise.all([
      accounts.show(user),
      isPersonal ? users.features(user_id) : [],
      maySee(caller, 'organizationList:read') ? organizations.of(user_id) : [],
      maySee(caller, 'emoji::transfer') ? transfers.pendingIds(user) : [],
    ])
    const visible = isPersonal ? shown : withoutPersonal(shown)
    return {
      features,
      role: user.role,
      user: visible,
      pubkeys: visible.pubkeys,
      has_password: isPersonal && user.password_hash !== null,
      global_scopes: [...(caller.user_id === user_id ? caller.scopes : scopesOfRole(user.role))],
      organization_roles: Object.fromEntries(own.map(({ id, role }) => [id, role])),
      organization_scopes: Object.fromEntries(
        own.map(({ id, role }) => [id, scopesInOrganization(caller, role)]),
      ),
      pending_transfers,
      partner_transaction_id: isPersonal ? user.partner_transaction_id : null,
    }
  }

  type Wanted = { user_id?: string; organization_id?: string }
  const listIds = async (caller: Principal, user_id: string, { organization_id }: Wanted) => {
    if (organization_id) {
      assertInOrganization(caller, organization_id, 'organizationEmoji:list')
      return emojiIds.list(caller, { user_id, organization_id })
    }
    const needed = user_id === caller.user_id ? 'userEmoji:list' : 'adminEmoji:load'
    return caller.scopes.has(needed) ? emojiIds.list(caller, { user_id }) : []
  }

  return {
    describe,

    async change(caller: Principal, change: AccountChange, user_agent: string | undefined) {
      // The device that changed the password stays; it needs tokens of the new time.
      const token_response = await accounts.update(caller, change, (trx) =>
        sessions.goOn(trx, caller, user_agent),
      )
      return { ...(await describe(caller.user_id, caller)), token_response }
    },

    async load(caller: Principal, wanted: Wanted) {
      const user_id = wanted.user_id ?? caller.user_id
      const isOthers = user_id !== caller.user_id || wanted.organization_id !== undefined
      // The route is open to operators who set their second factor up, for themselves alone.
      if (isOthers && caller.lacksSecondFactor) throw new SecondFactorMissingError()
      if (user_id !== caller.user_id) assertScope(caller, 'adminUser:load')
      const owned = await listIds(caller, user_id, wanted)
      const isForTransfers = maySee(caller, 'emoji::transfer')
      const current_user = await describe(user_id, caller)
      if (user_id === caller.user_id && current_user.user.two_factor_should_prompt) {
        await accounts.notePrompt(user_id)
      }
      return {
        current_user,
        editions: [],
        incoming_transfers: isForTransfers ? await transfers.incoming(user_id) : [],
        outgoing_transfers: isForTransfers ? await transfers.newestOf(user_id) : noTransfers,
        extended_list: owned.map(listItem),
        wallets: maySee(caller, 'user:writeSelf') ? await wallets.list(user_id) : [],
        partner_transaction_id: current_user.partner_transaction_id,
        sidebar: null,
      }
    },
  }
}
