import { UsageError } from '../exit-codes.ts'

/** Excel separates by semicolons where the comma is the decimal separator. */
const separators = [',', ';', '\t']

/**
 * Rows of a CSV file (RFC 4180) as cells, with their numbers as in a spreadsheet: the heading is 1,
 * and an empty row counts. The first separator in the file is the one of all rows. Quoted cells may
 * contain separators and line ends. An unclosed quote would swallow the following lines, so only a
 * separator or the line's end may follow a closed one.
 */
export async function* readCsv(
  chunks: AsyncIterable<string>,
): AsyncGenerator<{ number: number; cells: string[] }> {
  let separator: string | undefined
  let cells: string[] = []
  let cell = ''
  let place: 'before' | 'within' | 'quoted' | 'behind a quote' = 'before'
  let line = 1
  let quotedSince = 1
  let number = 0
  const isSeparator = (char: string) => (separator ? char === separator : separators.includes(char))
  for await (const chunk of chunks) {
    for (const char of chunk) {
      if (place === 'quoted') {
        if (char === '"') place = 'behind a quote'
        else cell += char
      } else if (char === '"') {
        if (place === 'within') throw new QuoteError(line)
        if (place === 'behind a quote') cell += char
        else quotedSince = line
        place = 'quoted'
      } else if (isSeparator(char) || char === '\n') {
        if (char !== '\n') separator = char
        cells.push(cell)
        ;[cell, place] = ['', 'before']
        if (char === '\n') {
          number++
          if (number === 1 && isSeparatorLine(cells)) number = 0
          else if (cells.length > 1 || cells[0] !== '') yield { number, cells }
          cells = []
        }
      } else if (char !== '\r') {
        if (place === 'behind a quote') throw new QuoteError(quotedSince)
        cell += char
        place = 'within'
      }
      if (char === '\n') line++
    }
  }
  if (place === 'quoted') throw new QuoteError(quotedSince)
  if (cell !== '' || cells.length > 0) yield { number: number + 1, cells: [...cells, cell] }
}

/** The first line `sep=;`, which Excel reads and does not show. */
const isSeparatorLine = ([name, rest, ...more]: readonly string[]): boolean =>
  name?.toLowerCase() === 'sep=' && rest === '' && more.length === 0

export const toCsv = (cells: readonly string[]): string =>
  cells
    .map((cell) => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')

class QuoteError extends UsageError {
  constructor(line: number) {
    super(
      `Line ${line} of the CSV file has an unclosed or misplaced quote. Quote the whole cell, and double the quotes within it.`,
    )
  }
}
