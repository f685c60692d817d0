import { InvalidIdError, parseId } from '@emojid/sdk'
import { type FileRow, type Format, readRows } from './read-rows.ts'

const mostNamed = 5

/**
 * The number of rows and the repeated ids, before anything is sent. Which of the repeated rows is
 * meant is unknown, and the order of arrival must not decide about an address.
 */
export async function survey(path: string, format: Format) {
  const firsts = new Map<string, number>()
  const groups = new Map<string, number[]>()
  let total = 0
  for await (const row of readRows(path, format)) {
    total++
    const id = canonicalOf(row)
    if (id === undefined) continue
    const first = firsts.get(id)
    const group = groups.get(id)
    if (first === undefined) firsts.set(id, row.number)
    else if (group) group.push(row.number)
    else groups.set(id, [first, row.number])
  }
  const repeated = new Map<number, string>()
  for (const group of groups.values()) {
    const message = `The file contains this id more than once, in rows ${joinRows(group)}, so none of them is imported. Keep one.`
    for (const number of group) repeated.set(number, message)
  }
  return { total, repeated }
}

/** The id as the service parses it. The service refuses invalid ids. */
function canonicalOf(row: FileRow): string | undefined {
  try {
    return parseId('row' in row ? row.row.emoji_id : row.emoji_id)
  } catch (error) {
    if (error instanceof InvalidIdError) return undefined
    throw error
  }
}

function joinRows(rows: readonly number[]): string {
  const list = rows.slice(0, mostNamed).join(', ')
  return rows.length > mostNamed ? `${list} and ${rows.length - mostNamed} more` : list
}
