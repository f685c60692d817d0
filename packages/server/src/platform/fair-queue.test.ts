import { expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const refusal = () => new Error('no room')

/** A queue that records the order of its work, once released. */
function createHeldQueue(each: number, all: number) {
  const queue = createFairQueue({ each, all, refusal })
  const finishedJobs: string[] = []
  let letGo = () => {}
  const first = queue.run(
    { group: 'first', name: 'first' },
    () => new Promise<void>((resolve) => (letGo = resolve)),
  )
  const ask = (name: string, task = name, group = name, isWanted = true) =>
    queue
      .run(
        { group, name },
        async () => void finishedJobs.push(task),
        () => isWanted,
      )
      .catch(({ message }: Error) => message)
  return { ask, done: finishedJobs, first, letGo: () => letGo() }
}

it('the fair queue serves parties round-robin, regardless of order and number', async () => {
  const { ask, done, letGo } = createHeldQueue(10, 100)
  const jobs = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => ask(name.charAt(0), name))
  letGo()
  await Promise.all(jobs)

  expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

it('the fair queue runs one task at a time, and continues after a failed one', async () => {
  const queue = createFairQueue({ each: 10, all: 100, refusal })
  const party = { group: 'group', name: 'party' }
  let [runningCount, most] = [0, 0]
  const work = async (outcome: string) => {
    most = Math.max(most, ++runningCount)
    await new Promise(setImmediate)
    runningCount--
    if (outcome === 'bad') throw new Error('it broke')
    return outcome
  }
  const outcomes = await Promise.allSettled(
    ['good', 'bad', 'good'].map((outcome) => queue.run(party, () => work(outcome))),
  )

  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(most).toBe(1)
  expect(await queue.run(party, () => work('later'))).toBe('later')
})

it('the fair queue limits the places of one party', async () => {
  const { ask, letGo } = createHeldQueue(2, 100)
  const jobs = [ask('greedy'), ask('greedy'), ask('greedy'), ask('modest')]
  letGo()

  expect(await Promise.all(jobs)).toEqual([undefined, undefined, 'no room', undefined])
})

it('the fair queue evicts the last task of the largest party when full, and none of equals', async () => {
  const { ask, done, letGo } = createHeldQueue(5, 4)
  const jobs = ['a1', 'a2', 'a3', 'b1', 'c1', 'd1', 'e1'].map((name) => ask(name.charAt(0), name))
  letGo()

  expect(await Promise.all(jobs)).toEqual([
    undefined,
    'no room',
    'no room',
    undefined,
    undefined,
    undefined,
    'no room',
  ])
  expect(done.sort()).toEqual(['a1', 'b1', 'c1', 'd1'])
})

it('the fair queue gives a group of parties the turns and places of one', async () => {
  const { ask, done, letGo } = createHeldQueue(5, 6)
  const flood = Array.from({ length: 8 }, (_, n) => ask(`flood ${n}`, `flood ${n}`, 'flood'))
  const honest = [ask('anna'), ask('ben')]
  letGo()

  expect(await Promise.all(honest)).toEqual([undefined, undefined])
  expect((await Promise.all(flood)).filter((one) => one === undefined)).toHaveLength(4)
  expect(done.slice(0, 3)).toEqual(['flood 0', 'anna', 'ben'])
})

it('the fair queue skips tasks that are no longer wanted', async () => {
  const { ask, done, letGo } = createHeldQueue(5, 10)
  const jobs = [ask('gone', 'gone', 'gone', false), ask('anna')]
  letGo()

  expect(await Promise.all(jobs)).toEqual(['no room', undefined])
  expect(done).toEqual(['anna'])
})
