import { withheldPart } from '../../../platform/http/schemas.ts'
import { assertScope, missingSecondFactor, type Principal } from '../../operations/access/index.ts'
import { assertOneOwner, listItem } from '../emoji-ids/index.ts'
import type { Deps } from './deps.ts'
import { describeAccount } from './describe-account.ts'
import { maySee, noTransfers, withheldFromLoad } from './rules.ts'

type AccountQuery = { user_id?: string; organization_id?: string }

export async function loadAccount(deps: Deps, caller: Principal, query: AccountQuery) {
  const { accounts, emojiIds, transfers, wallets } = deps
  assertOneOwner(query)
  const user_id = query.user_id ?? caller.user_id
  const isOthers = user_id !== caller.user_id || query.organization_id !== undefined
  // Operators without a second factor may read only their own account, to set it up.
  if (isOthers && caller.lacksSecondFactor) throw missingSecondFactor()
  if (user_id !== caller.user_id) assertScope(caller, 'adminUser:load')
  const seesIds = maySeeIds(caller, user_id, query)
  const ownedIds = seesIds ? await emojiIds.listIds(caller, query) : []
  const isForTransfers = maySee(caller, 'emoji::transfer')
  const current_user = await describeAccount(deps, user_id, caller)
  if (user_id === caller.user_id && current_user.user.two_factor_should_prompt) {
    await accounts.recordPrompt(user_id)
  }
  return {
    current_user,
    editions: [],
    incoming_transfers: isForTransfers ? await transfers.listIncomingFor(caller, user_id) : [],
    outgoing_transfers: isForTransfers
      ? await transfers.listNewestOutgoing(caller, user_id)
      : noTransfers,
    extended_list: ownedIds.map(listItem),
    wallets: maySee(caller, 'user:writeSelf') ? await wallets.listWallets(user_id) : [],
    partner_transaction_id: current_user.partner_transaction_id,
    sidebar: null,
    ...withheldPart(withheldFromLoad(caller, seesIds)),
  }
}

/** The list of an organization checks the rights in it itself. */
const maySeeIds = (caller: Principal, user_id: string, { organization_id }: AccountQuery) =>
  organization_id !== undefined ||
  caller.scopes.has(user_id === caller.user_id ? 'userEmoji:list' : 'adminEmoji:load')
