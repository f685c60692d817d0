import { expect, it } from 'vitest'
import { boundDetails, longestDetails } from './rules.ts'

it('details within the limit stay as they are', () => {
  const details = { text: 'x'.repeat(10_000), emoji_id: '🔥🐍' }
  expect(boundDetails(details)).toBe(details)
})

it('long members of longer details become hashes, except the ids that the list searches', () => {
  const emoji_ids = Array(2_000).fill('🔥🐍')
  const bound = boundDetails({ emoji_ids, list: Array(9_000).fill(1), reason: 'because' })
  expect(bound).toEqual({
    emoji_ids,
    list: { length: 18_001, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    reason: 'because',
  })
  expect(JSON.stringify(boundDetails({ text: 'x'.repeat(100_000) })).length).toBeLessThan(
    longestDetails,
  )
})
