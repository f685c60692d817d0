import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { UsageError } from '../exit-codes.ts'
import { readCsv } from './csv.ts'

export type Format = 'csv' | 'jsonl'

export type Row = {
  emoji_id: string
  user_id?: string
  email?: string
  organization_id?: string
  pubkey?: string
  records?: { tag: string; data: string }[]
}

/** A row of the file by its number, counted from 1 without the heading; or what is wrong with it. */
export type FileRow =
  | { number: number; row: Row }
  | { number: number; emoji_id: string; fault: string }

const owners = ['user_id', 'email', 'organization_id', 'pubkey'] as const
const members: readonly string[] = ['emoji_id', ...owners, 'records']

export function formatOf(path: string, told: string | undefined): Format {
  const format =
    told ?? (/\.csv$/i.test(path) ? 'csv' : /\.(jsonl|ndjson)$/i.test(path) ? 'jsonl' : '')
  if (format === 'csv' || format === 'jsonl') return format
  throw new UsageError('Say which --format it is: csv or jsonl.')
}

export const readRows = (path: string, format: Format): AsyncGenerator<FileRow> =>
  format === 'csv' ? readCsvRows(path) : readJsonRows(path)

async function* readJsonRows(path: string): AsyncGenerator<FileRow> {
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path, 'utf8') })) {
    if (line.trim() === '') continue
    number++
    yield checked(number, () => JSON.parse(line))
  }
}

async function* readCsvRows(path: string): AsyncGenerator<FileRow> {
  let heading: string[] | undefined
  let number = 0
  for await (const cells of readCsv(createReadStream(path, 'utf8'))) {
    if (!heading) {
      heading = readHeading(cells)
      continue
    }
    number++
    const columns = heading
    yield checked(number, () => rowOf(columns, cells))
  }
}

function readHeading(cells: readonly string[]): string[] {
  const heading = cells.map((cell) => cell.trim().toLowerCase())
  const strange = heading.find((name) => !members.includes(name) && !/^0x[0-9a-f]{4}$/.test(name))
  if (strange !== undefined) {
    throw new UsageError(
      `“${strange}” is no column. There are ${members.join(', ')}, and categories such as 0x1003.`,
    )
  }
  if (!heading.includes('emoji_id')) throw new UsageError('There is no column emoji_id.')
  return heading
}

/** Empty cells are nothing; a column that is a category gives a record. */
function rowOf(heading: readonly string[], cells: readonly string[]): unknown {
  if (cells.length > heading.length) throw new Error('It has more cells than the heading.')
  const named = heading.flatMap((name, place) =>
    cells[place] ? [[name, cells[place]] as const] : [],
  )
  const { records: written, ...row } = Object.fromEntries(
    named.filter(([name]) => members.includes(name)),
  )
  const inColumns = named
    .filter(([name]) => !members.includes(name))
    .map(([tag, data]) => ({ tag, data }))
  const inJson = written === undefined ? [] : JSON.parse(written)
  const isGiven = written !== undefined || inColumns.length > 0
  return { ...row, ...(isGiven ? { records: [...inJson, ...inColumns] } : {}) }
}

function checked(number: number, read: () => unknown): FileRow {
  let emoji_id = ''
  try {
    const row = read() as Row
    if (typeof row !== 'object' || row === null) throw new Error('It is no row.')
    if (typeof row.emoji_id !== 'string') throw new Error('It has no emoji_id.')
    emoji_id = row.emoji_id
    const strange = Object.keys(row).find((name) => !members.includes(name))
    if (strange) throw new Error(`“${strange}” is no member of a row.`)
    if (owners.some((name) => row[name] !== undefined && typeof row[name] !== 'string')) {
      throw new Error('Its owner is no text.')
    }
    if (row.records !== undefined && !isRecordList(row.records)) {
      throw new Error('records is no list of {"tag", "data"}.')
    }
    return { number, row }
  } catch (error) {
    return { number, emoji_id, fault: `The row cannot be read: ${(error as Error).message}` }
  }
}

const isRecordList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length <= 500 &&
  value.every(
    (one) =>
      typeof one === 'object' &&
      one !== null &&
      typeof one.tag === 'string' &&
      typeof one.data === 'string',
  )
