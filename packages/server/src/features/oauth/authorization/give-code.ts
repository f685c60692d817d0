import type { Deps } from './deps.ts'
import { loadLogin } from './find-login.ts'
import * as rules from './rules.ts'

export async function giveCode({ sessions }: Deps, handle: string, code: string): Promise<void> {
  if (!(await sessions.giveCode(handle, code))) throw rules.unknownHere()
}

export async function sendCode(deps: Deps, handle: string) {
  const { secondFactor } = deps
  return secondFactor.sendCode((await loadLogin(deps, handle)).principal)
}
