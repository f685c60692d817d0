import { globalRoles } from '@emojid/core'
import { refusal, refusalIn } from '../../../platform/errors.ts'
import type { Letter } from '../../../platform/mail/letter.ts'
import { objectAt } from '../../../platform/mail/phrases.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { readLine } from '../../identity/accounts/accounts.ts'
import type { GlobalRole } from '../../operations/access/access.ts'

export function readGlobalRole(role: string): GlobalRole {
  const globalRole = globalRoles.find((name) => name === role)
  if (!globalRole) throw membershipRole()
  return globalRole
}

const longestReason = 500

/** To a person whose account an operator deactivated. */
export const accountDeactivated = (reason: string, appeals: string): Letter => ({
  subject: 'Your account was deactivated',
  before: `An operator deactivated your account, so you can’t sign in and your API keys no longer work. The reason: ${quote(reason, longestReason)}`,
  after: objectAt(appeals),
})

export const readActivationSource = ({
  activation_source,
}: {
  activation_source?: string | null
}) =>
  activation_source === undefined
    ? {}
    : { activation_source: readLine('activation_source', activation_source) }

/** The last Super stays: only a Super can grant every role. */
export function assertSuperStays(active: readonly { id: string }[], subject_id: string): void {
  if (active.length === 1 && active[0]?.id === subject_id) throw lastSuper()
}

/** The row of a deleted account. */
export const anonymous = (at: Date) => ({
  email: null,
  email_verified_at: null,
  alternate_id: null,
  password_hash: null,
  first_name: null,
  last_name: null,
  source: null,
  activation_source: null,
  partner_transaction_id: null,
  deactivated_at: at,
  deleted_at: at,
  updated_at: at,
})

export const ownAccount = () =>
  refusal('forbidden', 'own_account', 'You can’t deactivate or activate your own account.')

export const forgottenUser = () =>
  refusal(
    'refused',
    'forgotten_user',
    'This account is deleted, and so is everything that identifies the person. It can’t be barred any more.',
  )

export const ownLimit = () => {
  const message = 'You can’t change your own number of free ids. Ask another operator.'
  return refusal('forbidden', 'own_limit', message)
}

const lastSuper = () =>
  refusal('refused', 'last_super', 'This is the last Super. Make another account Super first.')

const membershipRole = () =>
  refusalIn(
    'role',
    'refused',
    'membership_role',
    'Organization roles are set by membership: PUT /admin/organizations/{id}/members/{user_id}.',
  )
