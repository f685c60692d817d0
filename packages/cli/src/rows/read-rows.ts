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

/** A row of the file by its number, as an editor or a spreadsheet shows it; or its fault. */
export type FileRow =
  | { number: number; row: Row }
  | { number: number; emoji_id: string; fault: string }

const owners = ['user_id', 'email', 'organization_id', 'pubkey'] as const
const members: readonly string[] = ['emoji_id', ...owners, 'records']

export function formatOf(path: string, option: string | undefined): Format {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase()
  const named = option ?? (ending === 'ndjson' ? 'jsonl' : ending)
  const format = formats.find((one) => one === named)
  if (format) return format
  throw new UsageError('Pass the --format: csv, json or jsonl.')
}

export const readRows = (path: string, format: Format): AsyncGenerator<FileRow> =>
  format === 'csv' ? readCsvRows(path) : readJsonRows(path)

/** One row per line, or one list: no row begins like a list. */
async function* readJsonRows(path: string): AsyncGenerator<FileRow> {
  let number = 0
  const lines = linesOf(readText(path))
  let isFirst = true
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    const isList = isFirst && line.trimStart().startsWith('[')
    isFirst = false
    if (isList) {
      const rowList = [line]
      for await (const next of lines) rowList.push(next)
      for (const [place, row] of parseList(rowList.join('\n')).entries()) {
        yield checkRow(place + 1, () => row)
      }
      return
    }
    yield checkRow(number, () => JSON.parse(line))
  }
}

function parseList(text: string): unknown[] {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`The list of rows is not valid JSON: ${(error as Error).message}`)
  }
}

async function* readCsvRows(path: string): AsyncGenerator<FileRow> {
  let heading: string[] | undefined
  for await (const { number, cells } of readCsv(readText(path))) {
    if (!heading) {
      heading = readHeading(cells)
      continue
    }
    const columns = heading
    yield checkRow(number, () => rowOf(columns, cells))
  }
}

function readHeading(cells: readonly string[]): string[] {
  const heading = cells.map((cell) => cell.trim().toLowerCase())
  const strange = heading.find((name) => !members.includes(name) && !/^0x[0-9a-f]{4}$/.test(name))
  if (strange !== undefined) {
    throw new UsageError(
      `“${strange}” is not a column. Use ${members.join(', ')}, and categories such as 0x1003.`,
    )
  }
  const twice = heading.find((name, place) => heading.indexOf(name) !== place)
  if (twice !== undefined) throw new UsageError(`The column ${twice} is repeated. Remove one.`)
  if (!heading.includes('emoji_id')) throw new UsageError('The column emoji_id is missing.')
  return heading
}

/** Skips empty cells; a category column yields a record. */
function rowOf(heading: readonly string[], cells: readonly string[]): unknown {
  if (cells.length > heading.length) throw new Error('It has more cells than the heading.')
  const named = heading.flatMap((name, place) =>
    cells[place] ? [[name, cells[place]] as const] : [],
  )
  const { records: recordsText, ...row } = Object.fromEntries(
    named.filter(([name]) => members.includes(name)),
  )
  const inColumns = named
    .filter(([name]) => !members.includes(name))
    .map(([tag, data]) => ({ tag, data }))
  const inJson = recordsText === undefined ? [] : JSON.parse(recordsText)
  const isGiven = recordsText !== undefined || inColumns.length > 0
  return { ...row, ...(isGiven ? { records: [...inJson, ...inColumns] } : {}) }
}

function checkRow(number: number, read: () => unknown): FileRow {
  let emoji_id = ''
  try {
    const row = read() as Row
    if (typeof row !== 'object' || row === null) throw new Error('It is not a row.')
    if (typeof row.emoji_id !== 'string') throw new Error('emoji_id is missing.')
    emoji_id = row.emoji_id
    const strange = Object.keys(row).find((name) => !members.includes(name))
    if (strange) throw new Error(`“${strange}” is not a member of a row.`)
    if (owners.some((name) => row[name] !== undefined && typeof row[name] !== 'string')) {
      throw new Error('The owner is not a text.')
    }
    if (row.records !== undefined && !isRecordList(row.records)) {
      throw new Error('records is not a list of {"tag", "data"}.')
    }
    return { number, row }
  } catch (error) {
    return { number, emoji_id, fault: `The row can’t be read: ${(error as Error).message}` }
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
