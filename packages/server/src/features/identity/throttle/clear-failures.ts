import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as failures from './repository.ts'
import { nameOf, type Subject } from './rules.ts'

/** Uncounts an attempt that was right or did not happen. */
export async function uncountAttempt({ db }: Deps, ...subjects: Subject[]): Promise<void> {
  for (const { key, allowed } of subjects) await failures.uncount(db, key, allowed)
}

export async function clearFailures({ db }: Deps, ...subjects: Subject[]): Promise<void> {
  for (const { key } of subjects) await failures.remove(db, key)
}

/** Clears a name in all networks. */
export const clearFailuresOfName = (trx: Transaction, text: string) =>
  failures.removeName(trx, nameOf(text))
