import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { mapInTurns, takeTurn } from './turns.ts'

/** Longer than all work of one turn of the event loop. */
function work() {
  const end = performance.now() + 6
  while (performance.now() < end);
}

it('work of a network with much to do lets another network pass after one piece', async () => {
  const done: string[] = []
  const run = async (network: string) => {
    await takeTurn(network)
    work()
    done.push(network)
  }
  await run('first')
  const flood = Array.from({ length: 8 }, () => run('flood'))
  await Promise.all([...flood, run('other')])
  expect(done.indexOf('other')).toBeLessThanOrEqual(3)
})

it('work of many networks of one wide network lets another wide network pass after one piece', async () => {
  const done: string[] = []
  const run = async (network: string) => {
    await takeTurn(network)
    work()
    done.push(network)
  }
  await run('10.1.0')
  const flood = Array.from({ length: 20 }, (_, n) => run(`10.1.${n}`))
  await Promise.all([...flood, run('10.2.0')])
  expect(done.indexOf('10.2.0')).toBeLessThanOrEqual(3)
})

it('two long lists do not share one turn of the event loop, and keep their order', async () => {
  let turns = 0
  let isOver = false
  const count = async () => {
    for (; !isOver; turns++) await setImmediate()
  }
  const items = [1, 2, 3, 4, 5]
  const compute = () =>
    mapInTurns(items, (item) => {
      work()
      return item
    })
  const counting = count()
  expect(await Promise.all([compute(), compute()])).toEqual([items, items])
  isOver = true
  await counting
  expect(turns).toBeGreaterThanOrEqual(9)
})
