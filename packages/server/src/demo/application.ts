import type { Organizations } from '../features/identity/organizations/organizations.ts'
import type { Clients } from '../features/oauth/clients/clients.ts'
import type { DemoSeed } from '../platform/demo/seed.ts'
import type { Tables } from '../tables.ts'

type Features = { organizations: Organizations; clients: Clients }

/** The application of the development page with “Log in with your emoji id”. */
export const demoApplication = { id: 'demo-app', client_secret: 'demo-secret' } as const

export const applicationSeed = (
  { organizations, clients }: Features,
  webUrl: string,
): DemoSeed<Tables> => ({
  name: 'application',
  async write(trx) {
    const organization =
      (await organizations.findByPath(trx, 'demo')) ??
      (await organizations.insertOrganization(trx, { name: 'Demo Wallet' }))
    if (!organization) return
    await clients.insertClient(trx, {
      ...demoApplication,
      organization_id: organization.id,
      name: 'Demo App',
      redirect_uris: [`${webUrl}/dev/callback`],
    })
  },
})
