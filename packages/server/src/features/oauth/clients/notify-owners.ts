import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import type { OauthClient } from './read-clients.ts'
import * as rules from './rules.ts'

type News = Parameters<typeof rules.newsSentence>[1]

/** Emails the owners, because an intruder could redirect the sign-ins of users. */
export const notifyOwners = (
  { organizations }: Deps,
  trx: Transaction,
  { name, organization_id }: Pick<OauthClient, 'name' | 'organization_id'>,
  news: News,
) =>
  organizations.notifyOwners(
    trx,
    organization_id,
    'An application of your organization changed',
    rules.newsSentence(name, news),
  )
