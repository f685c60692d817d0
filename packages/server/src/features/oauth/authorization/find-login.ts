import { firstPasswordMs, type User } from '../../identity/accounts/index.ts'
import { lacksSecondFactor } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

export type Known = {
  user: User
  owesCode: boolean
  mayChoosePassword: boolean
  /** Whether an operator has to set up a second factor first. */
  isHeldUp: boolean
}

export function isHeldUp(deps: Deps, { role, two_factor_auth }: User): boolean {
  return (
    deps.operatorsNeedCodes && lacksSecondFactor({ role, provider: two_factor_auth[0] ?? null })
  )
}

export async function loadLogin({ sessions }: Deps, handle: string) {
  const found = await sessions.findSiteSession(handle)
  if (!found) throw rules.unknownHere()
  return found
}

export async function findLogin(deps: Deps, handle: string): Promise<Known | undefined> {
  const { sessions } = deps
  const found = await sessions.findSiteSession(handle)
  if (!found) return undefined
  const { user, session } = found
  const mayChoosePassword = user.password_hash === null && isRecent(deps, session.linked_at)
  const owesCode = session.second_factor_due
  return { user, owesCode, mayChoosePassword, isHeldUp: isHeldUp(deps, user) }
}

const isRecent = ({ now }: Deps, at: Date | null) =>
  at !== null && now().getTime() - at.getTime() <= firstPasswordMs
