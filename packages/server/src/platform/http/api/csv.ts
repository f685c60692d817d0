/** Some spreadsheets end a row at each of these, even between quotes. */
const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g
/**
 * Spreadsheets run a cell that begins with one of these as a formula, also in full width. Where the
 * semicolon separates cells, a spreadsheet splits a quoted text at it. The pattern looks back from
 * such a character: from every tab on, it would take quadratic time.
 */
const formulaStarts = /(?=[=+\-@＝＋－＠])(?<=(?:^|[;\t])[\s"]*)/g
const needsQuotes = /[",;\t]/

/** The values at a path such as `order_items.emoji_id`; a list on the way gives several. */
function valuesAt(row: unknown, path: string): unknown[] {
  let values: unknown[] = [row]
  for (const name of path.split('.')) {
    values = values.flatMap((value) => (value as Record<string, unknown>)[name] ?? [])
  }
  return values
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A cell that no spreadsheet runs as a formula; numbers stay numbers. */
function cellOf(values: readonly unknown[]): string {
  const [first, ...others] = values
  if (typeof first === 'number' && others.length === 0) return String(first)
  const line = values.map(textOf).join(' ').replaceAll(lineBreaks, ' ')
  const harmless = line.replaceAll(formulaStarts, "'").replace(/^\t/, "'\t")
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The line of a row (RFC 4180), with a cell for each path. */
export const csvLine = (row: unknown, paths: readonly string[]): string =>
  `${paths.map((path) => cellOf(valuesAt(row, path))).join(',')}\r\n`

/** The line of the column names. */
export const csvHead = (paths: readonly string[]): string => `${paths.join(',')}\r\n`
