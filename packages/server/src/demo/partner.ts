import type { Accounts } from '../features/identity/accounts/accounts.ts'
import type { Organizations } from '../features/identity/organizations/organizations.ts'
import type { PartnerBranding } from '../features/partners/branding/branding.ts'
import type { DemoSeed } from '../platform/demo/seed.ts'
import type { Tables } from '../tables.ts'

type Features = { accounts: Accounts; organizations: Organizations; branding: PartnerBranding }

/** A partner at the path `demo`, owned by the administrator. */
export const partnerSeed = (
  { accounts, organizations, branding }: Features,
  { ownerEmail, webUrl }: { ownerEmail: string; webUrl: string },
): DemoSeed<Tables> => ({
  name: 'partner',
  async write(trx) {
    const demo = { name: 'Demo Wallet', partner_path: 'demo' }
    const organization = await organizations.insertOrganization(trx, demo)
    // The path is taken in a demonstration that has been in use.
    if (!organization) return
    const owner = await accounts.findByEmail(ownerEmail, trx)
    if (owner) await organizations.addMember(trx, organization.id, owner.id, 'OrgOwner')
    await branding.putBranding(trx, organization.id, {
      return_link: `${webUrl}/dev/return`,
      requires_email: false,
      currencies: ['BTC', 'ETH', 'XMR', 'USDC'],
    })
  },
})
