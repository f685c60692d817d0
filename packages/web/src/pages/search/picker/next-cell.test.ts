import { describe, expect, it } from 'vitest'
import { nextCell } from './next-cell.ts'

/** Three rows of four, the last with two cells. */
const grid = { count: 10, columns: 4 }
const press = (key: string, at: number, ctrlKey = false) => nextCell({ key, ctrlKey }, at, grid)

describe('keys in the emoji grid', () => {
  it.each([
    ['ArrowRight', 0, 1],
    ['ArrowRight', 3, 4],
    ['ArrowRight', 9, 9],
    ['ArrowLeft', 4, 3],
    ['ArrowLeft', 0, 0],
    ['ArrowDown', 1, 5],
    ['ArrowDown', 7, 7],
    ['ArrowUp', 9, 5],
    ['ArrowUp', 2, 2],
    ['PageDown', 1, 9],
    ['PageDown', 3, 7],
    ['PageUp', 9, 1],
    ['Home', 6, 4],
    ['End', 4, 7],
    ['End', 8, 9],
  ])('%s moves from %i to %i', (key, from, to) => {
    expect(press(key, from)).toBe(to)
  })

  it('Control with Home and End moves to the first and the last cell', () => {
    expect(press('Home', 6, true)).toBe(0)
    expect(press('End', 1, true)).toBe(9)
  })

  it('other keys do not move', () => {
    expect(press('a', 1)).toBeUndefined()
  })
})
