import type { Deps } from './deps.ts'
import * as failures from './repository.ts'
import { type Subject, tooManyAttempts } from './rules.ts'

export function assertNotWaiting(blockedMs: number) {
  if (blockedMs > 0) throw tooManyAttempts(blockedMs)
}

/** Throws while one of the subjects is blocked. */
export async function assertNotBlocked({ now, db }: Deps, ...subjects: Subject[]): Promise<void> {
  const at = now()
  const keys = subjects.map(({ key }) => key)
  const blocked = await failures.findBlocked(db, keys, at)
  const ends = blocked.map(({ blocked_until }) => blocked_until?.getTime() ?? 0)
  assertNotWaiting(Math.max(0, ...ends) - at.getTime())
}
