import { UsageError } from '../exit-codes.ts'

/**
 * Lines of a CSV file (RFC 4180) as their cells; quoted ones may hold commas and line ends. A quote that is
 * not closed would swallow the lines behind it: so nothing but a comma or the line's end may follow a closed one.
 */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let cells: string[] = []
  let cell = ''
  let place: 'before' | 'within' | 'quoted' | 'behind a quote' = 'before'
  let line = 1
  let quotedSince = 1
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
      } else if (char === ',' || char === '\n') {
        cells.push(cell)
        ;[cell, place] = ['', 'before']
        if (char === '\n') {
          if (cells.length > 1 || cells[0] !== '') yield cells
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
  if (cell !== '' || cells.length > 0) yield [...cells, cell]
}

export const toCsv = (cells: readonly string[]): string =>
  cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')

class QuoteError extends UsageError {
  constructor(line: number) {
    super(
      `Line ${line} of the CSV file has a quote that is not closed, or stands where none can be. Quote the whole cell, and write quotes within it twice.`,
    )
  }
}
