import { Type } from 'typebox'
import { Nullable, Withheld } from '../../../platform/http/schemas.ts'
import { DisplayUser, Pubkey } from '../../identity/accounts/index.ts'
import { TokenAnswer } from '../../identity/sessions/index.ts'
import { RoleName, ScopeName } from '../../operations/access/index.ts'
import { ExtendedList } from '../emoji-ids/index.ts'
import { TransferList, TransferPage } from '../transfers/index.ts'
import { Feature } from '../users/index.ts'

const members = {
  features: Type.Array(Feature, {
    description:
      'Optional features that an operator switched on for this account. Applications read them; the directory itself does not',
  }),
  global_scopes: Type.Array(ScopeName),
  organization_roles: Type.Record(Type.String(), RoleName),
  organization_scopes: Type.Record(Type.String(), Type.Array(ScopeName)),
  pending_transfers: Type.Array(Type.String()),
  pubkeys: Type.Array(Pubkey),
  role: RoleName,
  user: DisplayUser,
  has_password: Type.Boolean({ description: 'If false, the account signs in by emailed links' }),
  email_needs_password: Type.Boolean({
    description: 'Whether a new email address requires current_password',
  }),
  partner_transaction_id: Nullable(Type.String()),
  unread_notifications: Type.Optional(
    Type.Integer({ description: 'Only in a session of the user, not for API keys' }),
  ),
  withheld: Withheld,
}
export const CurrentUser = Type.Object(members)
export const ChangedUser = Type.Object({
  ...members,
  token_response: Nullable(TokenAnswer),
})

export const LoadQuery = Type.Object({
  user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Needs adminUser:load' })),
  organization_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Needs a power role in it' }),
  ),
})
export const LoadedUser = Type.Object({
  current_user: CurrentUser,
  editions: Type.Array(Type.Integer(), {
    description: 'Always empty: this directory sells no numbered editions',
  }),
  extended_list: ExtendedList,
  incoming_transfers: TransferList,
  outgoing_transfers: TransferPage,
  wallets: Type.Array(Type.Unknown()),
  partner_transaction_id: Nullable(Type.String()),
  sidebar: Type.Null({ description: 'Always null: each application has its own navigation' }),
  withheld: Withheld,
})
