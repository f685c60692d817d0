import type { Deps } from './deps.ts'
import { readPosition } from './repository.ts'
import { cursorOf, numberOfCursor } from './rules.ts'

/** The number of a cursor, and the last number; refuses unknown and expired cursors. */
export async function locateCursor({ db }: Pick<Deps, 'db'>, cursor: string) {
  const position = await readPosition(db)
  return { number: numberOfCursor(position, cursor), last_number: position.last_number }
}

/** The cursor after which reading continues with the next number. */
export async function cursorAt({ db }: Pick<Deps, 'db'>, number: number): Promise<string> {
  return cursorOf(await readPosition(db), number)
}
