import { closeSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createBucketsFile, openSharedBuckets } from './shared-buckets.ts'

it('processes with the same file see the state of a bucket, and of no other', () => {
  const fd = createBucketsFile()
  const [one, other] = [openSharedBuckets(fd), openSharedBuckets(fd)]
  const bucket = one('lookups 192.0.2')
  const before = bucket.read()
  bucket.write(-1.5, 7_000.25)
  const seen = other('lookups 192.0.2').read()
  const strange = other('lookups 192.0.3').read()
  closeSync(fd)

  expect([before, seen, strange]).toEqual([undefined, { rest: -1.5, at: 7_000.25 }, undefined])
})
