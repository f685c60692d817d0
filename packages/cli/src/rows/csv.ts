import { UsageError } from '../exit-codes.ts'

/**
 * Lines of a CSV file (RFC 4180) as cells; quoted cells may contain commas and line ends. An
 * unclosed quote would swallow the following lines, so only a comma or the line's end may follow a
 * closed one.
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
      `Line ${line} of the CSV file has an unclosed or misplaced quote. Quote the whole cell, and double the quotes within it.`,
    )
  }
}
