import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps, Options, ReadPart } from './deps.ts'
import { exportAccount } from './export-account.ts'
import { createLimits } from './limits.ts'

export type AccountExporter = ReturnType<typeof createAccountExport>

/** The own data of an account as a download. */
export function createAccountExport(options: Options) {
  const remoteParts = new Map<string, ReadPart>()
  const deps: Deps = { ...options, limits: createLimits(), remoteParts }
  return {
    ...bindUseCases(deps, { exportAccount }),
    /** Adds a part that another service stores. The export names it as incomplete if that fails. */
    addRemotePart: (name: string, read: ReadPart) => void remoteParts.set(name, read),
  }
}
