import type { PriceTable } from '@emojid/core'

export type Way = 'set' | 'percent' | 'none'
export type TableChange = { from: number; to: number; way: Way; amount: number }

const [leastCents, mostCents] = [1, 100_000_000]

/** Changes a range of scores. A percentage rounds to whole dollars, at least one. */
export function changeTable(table: PriceTable, change: TableChange): (number | null)[] {
  const { from, to, way, amount } = change
  return table.map((cents, nth) => {
    if (nth + 1 < from || nth + 1 > to) return cents
    if (way === 'none') return null
    if (way === 'set') return amount
    return cents === null ? null : byPercent(cents, amount)
  })
}

function byPercent(cents: number, percent: number): number {
  const exact = (cents * (100 + percent)) / 100
  const rounded = exact < 100 ? Math.round(exact) : Math.round(exact / 100) * 100
  return Math.min(mostCents, Math.max(leastCents, rounded))
}
