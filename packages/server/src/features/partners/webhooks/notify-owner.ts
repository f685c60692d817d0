import type { Transaction } from '../../../tables.ts'
import type { Endpoint } from './repository.ts'
import type { Deps } from './webhooks.ts'

/** Tells the account, or the owners of the organization, which the sentence names. */
export async function notifyOwner(
  { accounts, organizations }: Deps,
  trx: Transaction,
  { id, user_id, organization_id }: Pick<Endpoint, 'id' | 'user_id' | 'organization_id'>,
  title: string,
  sentenceFor: (organization?: string) => string,
): Promise<void> {
  const page = `/account/webhooks/${id}`
  if (organization_id) {
    const organization = await organizations.findOrganization(trx, organization_id)
    const sentence = sentenceFor(organization?.name ?? organization_id)
    await organizations.notifyOwners(trx, organization_id, title, sentence, page)
    return
  }
  const [user] = await accounts.findAccounts(trx, [user_id])
  if (user) await accounts.notifyAccount(trx, user, title, sentenceFor(), page)
}
