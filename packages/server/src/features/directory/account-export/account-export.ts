import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps, Options } from './deps.ts'
import { exportAccount } from './export-account.ts'
import { createLimits } from './limits.ts'

export type AccountExporter = ReturnType<typeof createAccountExport>

/** The own data of an account as a download. */
export function createAccountExport(options: Options) {
  const deps: Deps = { ...options, limits: createLimits() }
  return bindUseCases(deps, { exportAccount })
}
