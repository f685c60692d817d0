import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps } from './deps.ts'
import { hasBranding, loadBranding } from './read-branding.ts'
import { putBranding, setBranding } from './set-branding.ts'

export type PartnerBranding = ReturnType<typeof createBranding>

/** The branding of organizations on the pages that they send their users to. */
export function createBranding(deps: Deps) {
  return bindUseCases(deps, {
    putBranding,
    loadBranding,
    hasBranding,
    setBranding,
  })
}
