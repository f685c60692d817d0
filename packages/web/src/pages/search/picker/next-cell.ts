export type Grid = { count: number; columns: number }

const rowsPerPage = 4

/** The target cell of a key in a grid; undefined for other keys. */
export function nextCell(
  { key, ctrlKey }: { key: string; ctrlKey: boolean },
  at: number,
  { count, columns }: Grid,
): number | undefined {
  const last = count - 1
  const rowStart = at - (at % columns)
  const inColumn = (rows: number): number => {
    const column = at % columns
    const lastRow = Math.floor((last - column) / columns)
    const row = Math.floor(at / columns) + rows
    return Math.min(Math.max(row, 0), lastRow) * columns + column
  }
  const moves: Record<string, () => number> = {
    ArrowRight: () => Math.min(at + 1, last),
    ArrowLeft: () => Math.max(at - 1, 0),
    ArrowDown: () => inColumn(1),
    ArrowUp: () => inColumn(-1),
    PageDown: () => inColumn(rowsPerPage),
    PageUp: () => inColumn(-rowsPerPage),
    Home: () => (ctrlKey ? 0 : rowStart),
    End: () => (ctrlKey ? last : Math.min(rowStart + columns - 1, last)),
  }
  return moves[key]?.()
}
