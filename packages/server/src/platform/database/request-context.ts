import { AsyncLocalStorage } from 'node:async_hooks'

/** Receives the open transaction, whatever its tables. */
type Note = (trx: unknown) => Promise<void>

const storage = new AsyncLocalStorage<Note>()

/** Writes `note` in every transaction of `work`. */
export function noteWithEffect<Result>(note: Note, work: () => Result): Result {
  return storage.run(note, work)
}

export async function beforeCommit(trx: unknown): Promise<void> {
  await storage.getStore()?.(trx)
}
