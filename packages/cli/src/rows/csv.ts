/** Lines of a CSV file (RFC 4180) as their cells; quoted ones may hold commas and line ends. */
export async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  /** A quote within quotes: the end, unless another one follows. */
  let wasQuote = false
  let isFirst = true
  for await (const chunk of chunks) {
    for (const char of isFirst ? chunk.replace(/^\ufeff/, '') : chunk) {
      isFirst = false
      if (isQuoted && !wasQuote) {
        if (char === '"') wasQuote = true
        else cell += char
      } else if (char === '"') {
        if (wasQuote) cell += char
        isQuoted = true
        wasQuote = false
      } else if (char === ',') {
        cells.push(cell)
        cell = ''
        isQuoted = wasQuote = false
      } else if (char === '\n') {
        cells.push(cell)
        if (cells.length > 1 || cell !== '') yield cells
        cells = []
        cell = ''
        isQuoted = wasQuote = false
      } else if (char !== '\r') cell += char
    }
  }
  if (cell !== '' || cells.length > 0) yield [...cells, cell]
}

export const toCsv = (cells: readonly string[]): string =>
  cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')
