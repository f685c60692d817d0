import type { Database } from '../../../tables.ts'
import type { Deps } from './events.ts'
import { readPosition } from './repository.ts'
import { cursorOf, numberOfCursor } from './rules.ts'

/** The number of a cursor, and the last number; refuses unknown and expired cursors. */
export async function locateCursor({ db }: Pick<Deps, 'db'>, cursor: string) {
  const position = await readPosition(db)
  return { number: numberOfCursor(position, cursor), last_number: position.last_number }
}

export type CursorAt = (number: number) => string

/** Makes cursors of numbers: reading continues with the next number. Reads the position once. */
export async function readCursors(_deps: unknown, from: Database): Promise<CursorAt> {
  const position = await readPosition(from)
  return (number) => cursorOf(position, number)
}
