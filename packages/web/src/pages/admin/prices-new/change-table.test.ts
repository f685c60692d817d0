import { expect, it } from 'vitest'
import { changeTable } from './change-table.ts'

const table = [100, 455, null, 1_000, 100_000_000]

it.each([
  [{ from: 2, to: 3, way: 'set', amount: 250 }, [100, 250, 250, 1_000, 100_000_000]],
  [{ from: 4, to: 4, way: 'none', amount: 0 }, [100, 455, null, null, 100_000_000]],
  [{ from: 1, to: 5, way: 'percent', amount: 10 }, [100, 500, null, 1_100, 100_000_000]],
  [{ from: 1, to: 2, way: 'percent', amount: -99 }, [1, 5, null, 1_000, 100_000_000]],
] as const)('the price change %o results in %o', (change, expected) => {
  expect(changeTable(table, change)).toEqual(expected)
})
