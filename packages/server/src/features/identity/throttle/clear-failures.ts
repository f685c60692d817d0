import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as failures from './repository.ts'
import { nameOf, type Subject } from './rules.ts'

/** Takes back one counted attempt that was right or did not happen. */
export async function takeBackAttempt({ db }: Deps, ...subjects: Subject[]): Promise<void> {
  for (const { key, allowed } of subjects) await failures.takeBack(db, key, allowed)
}

/** After a success. */
export async function clearFailures({ db }: Deps, ...subjects: Subject[]): Promise<void> {
  for (const { key } of subjects) await failures.forget(db, key)
}

/** In all networks. */
export const clearFailuresOfName = (trx: Transaction, text: string) =>
  failures.forgetName(trx, nameOf(text))
