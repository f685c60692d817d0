import { UsageError } from '../exit-codes.ts'
import { readCsv } from './csv.ts'
import { linesOf, readText } from './text.ts'

const formats = ['csv', 'json', 'jsonl'] as const
export type Format = (typeof formats)[number]

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
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase()
  const named = told ?? (ending === 'ndjson' ? 'jsonl' : ending)
  const format = formats.find((one) => one === named)
  if (format) return format
  throw new UsageError('Say which --format it is: csv, json or jsonl.')
}

export const readRows = (path: string, format: Format): AsyncGenerator<FileRow> =>
  format === 'csv' ? readCsvRows(path) : readJsonRows(path)

/** A row in each line, or one list of them: no row begins as a list does. */
async function* readJsonRows(path: string): AsyncGenerator<FileRow> {
  let number = 0
  const lines = linesOf(readText(path))
  for await (const line of lines) {
    if (line.trim() === '') continue
    number++
    if (number === 1 && line.trimStart().startsWith('[')) {
      const listed = [line]
      for await (const next of lines) listed.push(next)
      for (const [place, row] of parseList(listed.join('\n')).entries()) {
        yield checked(place + 1, () => row)
      }
      return
    }
    yield checked(number, () => JSON.parse(line))
  }
}

function parseList(text: string): unknown[] {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`The list of rows is no JSON: ${(error as Error).message}`)
  }
}

async function* readCsvRows(path: string): AsyncGenerator<FileRow> {
  let heading: string[] | undefined
  let number = 0
  for await (const cells of readCsv(readText(path))) {
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
  const twice = heading.find((name, place) => heading.indexOf(name) !== place)
  if (twice !== undefined) throw new UsageError(`There are two columns ${twice}. Leave one.`)
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
