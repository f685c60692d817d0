import { AsyncLocalStorage } from 'node:async_hooks'

/** Takes the open transaction, whatever tables its owner knows. */
type Note = (trx: unknown) => Promise<void>

const storage = new AsyncLocalStorage<Note>()

/** Whatever `work` changes in transactions, `note` is written together with it. */
export function noteWithEffect<Result>(note: Note, work: () => Result): Result {
  return storage.run(note, work)
}

export async function beforeCommit(trx: unknown): Promise<void> {
  await storage.getStore()?.(trx)
}
