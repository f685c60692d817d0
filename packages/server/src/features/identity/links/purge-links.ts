import { dayMs } from '../../../platform/time.ts'
import type { Deps } from './deps.ts'
import * as links from './repository.ts'

export async function purgeExpiredLinks({ db, now }: Deps): Promise<void> {
  await links.deleteExpiredBefore(db, new Date(now().getTime() - dayMs))
}
