import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { KeptRecord } from '../records/records.ts'
import { addressChanges, changedCategories, restoreCategories, restoreOrder } from './rules.ts'

let reads = 0
/** An address whose text is counted each time it is read, because parsing it takes longest. */
const countedAddress = (text: string): KeptRecord => ({
  tag: '0x6200',
  hash: createHash('sha256').update(text).digest('hex'),
  get data() {
    reads++
    return text
  },
})
const addresses = (count: number, label: string) =>
  Array.from({ length: count }, (_, nth) => countedAddress(`${label} ${nth} ${'a.'.repeat(110)}`))

it.each([50, 200])(
  '%i replaced addresses are compared and restored with a few reads of each',
  (count) => {
    const [once, now] = [addresses(count, 'once'), addresses(count, 'now')]
    const change = { before: once, after: now }
    reads = 0
    const categories = changedCategories(change)
    expect(addressChanges(change, 'undone')).toHaveLength(2 * count)
    expect(restoreCategories(now, once, categories)).toEqual(once)
    expect(restoreOrder(now, [...once].reverse(), categories)).toEqual(now)
    // `toEqual` reads the data of both sides.
    expect(reads / count).toBeLessThan(40)
  },
)

it('an order is restored over addresses that were only relabelled', () => {
  const address = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
  const other = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
  const record = (data: string): KeptRecord => ({ tag: '0x1003', data, hash: data })
  const once = [record(address), record(`${address}|savings`), record(other)]
  const now = [record(other), record(`${address}|shop`), record(`${address}|old`)]
  expect(restoreOrder(now, once, ['0x1003']).map(({ data }) => data)).toEqual([
    `${address}|shop`,
    `${address}|old`,
    other,
  ])
})
