import type { FileRow } from './read-rows.ts'

export type Good = Extract<FileRow, { row: unknown }>

const mostRows = 500
/** Changing the records of an id that somebody has takes the service many times as long as giving one. */
const mostWithRecords = 200
/** Requests are bound to a mebibyte; texts grow on the way. */
const mostCharacters = 300_000

/** Puts rows together to as many as the service carries out well within the time it has for a request. */
export function createParts() {
  let rows: Good[] = []
  let [characters, withRecords] = [0, 0]
  const take = (): Good[] => {
    const part = rows
    rows = []
    ;[characters, withRecords] = [0, 0]
    return part
  }
  return {
    /** Answers the part that is full without this row. */
    add(one: Good): Good[] {
      const weight = JSON.stringify(one.row).length
      const isWriting = one.row.records !== undefined
      const isFull =
        rows.length === mostRows ||
        (isWriting && withRecords === mostWithRecords) ||
        (rows.length > 0 && characters + weight > mostCharacters)
      const full = isFull ? take() : []
      rows.push(one)
      characters += weight
      if (isWriting) withRecords++
      return full
    },
    /** What is left. */
    take,
  }
}
