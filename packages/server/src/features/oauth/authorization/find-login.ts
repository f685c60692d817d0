import { firstPasswordMs, type User } from '../../identity/accounts/index.ts'
import { lacksSecondFactor, type Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

export type KnownLogin = {
  user: User
  principal: Principal
  owesCode: boolean
  mayChoosePassword: boolean
  /** Whether an operator has to set up a second factor first. */
  mustSetUpFactor: boolean
}

export function mustSetUpFactor(deps: Deps, { role, two_factor_auth }: User): boolean {
  return (
    deps.operatorsNeedCodes && lacksSecondFactor({ role, provider: two_factor_auth[0] ?? null })
  )
}

export async function loadLogin({ sessions }: Deps, handle: string) {
  const open = await sessions.findSiteSession(handle)
  if (!open) throw rules.unknownHere()
  return open
}

export async function findLogin(deps: Deps, handle: string): Promise<KnownLogin | undefined> {
  const { sessions } = deps
  const open = await sessions.findSiteSession(handle)
  if (!open) return undefined
  const { user, principal, session } = open
  const mayChoosePassword = user.password_hash === null && isRecent(deps, session.linked_at)
  const owesCode = session.second_factor_due
  return {
    user,
    principal,
    owesCode,
    mayChoosePassword,
    mustSetUpFactor: mustSetUpFactor(deps, user),
  }
}

const isRecent = ({ now }: Deps, at: Date | null) =>
  at !== null && now().getTime() - at.getTime() <= firstPasswordMs
