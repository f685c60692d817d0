import type { Database } from '../../../tables.ts'
import type { Deps } from './events.ts'
import { findCursors, findPosition, type Position } from './repository.ts'
import { type Cursor, cursorText, readCursor, unknownCursor } from './rules.ts'

/** The place of a cursor, and the last number; refuses cursors of a lost branch and expired ones. */
export async function locateCursor({ db }: Pick<Deps, 'db'>, text: string) {
  const cursor = readCursor(text)
  const position = await findPosition(db, cursor.number)
  assertProven(cursor, position)
  return { cursor, last_number: position.last_number }
}

/** A database that has no tag at the number has purged it, or never gave it. */
export function assertProven({ epoch, tag }: Cursor, position: Position): void {
  if (epoch !== position.epoch || tag !== position.tag) throw unknownCursor()
}

export type CursorAt = (number: number) => string

/** Makes the cursors of these numbers: reading continues with the next number. */
export async function readCursors(
  _deps: unknown,
  from: Database,
  numbers: readonly number[],
): Promise<CursorAt> {
  const cursors = numbers.length > 0 ? await findCursors(from, numbers) : new Map<number, Cursor>()
  return (number) => cursorText(cursors.get(number) as Cursor)
}
