import type { Transaction } from '../../../tables.ts'
import type { Deps } from './ledger.ts'
import * as entries from './repository.ts'

type Entry = Omit<Parameters<typeof entries.insertEntry>[1], 'created_at'>

export const bookEntry = ({ now }: Deps, trx: Transaction, entry: Entry) =>
  entries.insertEntry(trx, { ...entry, created_at: now() })
