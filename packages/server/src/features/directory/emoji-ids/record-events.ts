import type { Transaction } from '../../../tables.ts'
import type { Deps } from './emoji-ids.ts'
import * as ids from './repository.ts'
import type { OwnedId } from './rules.ts'

type Owner = Pick<OwnedId, 'emoji_id' | 'user_id' | 'organization_id'>

/** Records the events of new ids. */
export async function recordRegistered(
  { events }: Deps,
  trx: Transaction,
  ownedIds: readonly (Owner & { version: string | number })[],
): Promise<void> {
  await events.recordEvents(
    trx,
    ownedIds.map(({ emoji_id, version, user_id, organization_id }) => ({
      type: 'emoji_id.registered',
      emoji_id,
      data: { version, tags: [] },
      audience: [{ user_id, organization_id }],
    })),
  )
}

/** Records events that change no records. Each gets a version, so that receivers can order them. */
export async function recordStates(
  { events }: Deps,
  trx: Transaction,
  type: 'emoji_id.released' | 'emoji_id.suspended' | 'emoji_id.restored',
  ownedIds: readonly Owner[],
): Promise<void> {
  const versions = await ids.nextVersions(trx, ownedIds.length)
  await events.recordEvents(
    trx,
    ownedIds.map(({ emoji_id, user_id, organization_id }, place) => ({
      type,
      emoji_id,
      data: { version: versions[place], tags: [] },
      audience: [{ user_id, organization_id }],
    })),
  )
}
