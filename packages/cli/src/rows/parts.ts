import type { FileRow } from './read-rows.ts'

export type Good = Extract<FileRow, { row: unknown }>

const mostRows = 500
/** Changing the records of a registered id takes the service much longer than granting one. */
const mostWithRecords = 200
/** Requests are limited to a mebibyte; texts grow by encoding. */
const mostCharacters = 300_000

/** Groups rows into parts that the service completes well within its time limit. */
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
    /** Returns the full part, without this row. */
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
    /** The remaining rows. */
    take,
  }
}
