import { closeSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createBucketsFile, openSharedBuckets } from './shared-buckets.ts'

it('processes with the same file see the state of a bucket, and of no other', () => {
  const fd = createBucketsFile()
  const [one, other] = [openSharedBuckets(fd), openSharedBuckets(fd)]
  const bucket = one('lookups 192.0.2')
  const before = bucket.read()
  bucket.write(-1.5, 7_000.25, 9_000)
  const seen = other('lookups 192.0.2').read()
  const strange = other('lookups 192.0.3').read()
  closeSync(fd)

  expect([before, seen, strange]).toEqual([undefined, { rest: -1.5, at: 7_000.25 }, undefined])
})

it('a limit that refills slowly is kept while a client with many networks uses fast ones', () => {
  const fd = createBucketsFile()
  const open = openSharedBuckets(fd)
  const use = (key: string, rest: number, at: number, fullAt: number) => {
    const bucket = open(key)
    bucket.read()
    bucket.write(rest, at, fullAt)
  }
  const slow = Array.from({ length: 500 }, (_, n) => `hourly 192.0.${n}`)
  for (const key of slow) use(key, -1, 1_000, 3_600_000)
  for (let n = 0; n < 100_000; n++) use(`fast 20010db8${n}`, 99, 2_000 + n, 2_010 + n)
  const kept = slow.filter((key) => open(key).read()?.rest === -1)
  closeSync(fd)

  expect(kept).toEqual(slow)
})
