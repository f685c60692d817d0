import { describe, expect, it } from 'vitest'
import { scrub } from './rules.ts'

describe('the scrubbed text of an error', () => {
  it.each([
    ['connect ECONNREFUSED 127.0.0.1:25', 'connect ECONNREFUSED 127.0.0.1:25'],
    ['550 no such user <anna.b+x@example.com>', '550 no such user <…@…>'],
    ['GET https://me:pw@pay.test/v1/x?key=abc failed', 'GET https://pay.test/… failed'],
    ['No such intent: pi_3MtwBwLkdIwHu7ix28a3tqPa', 'No such intent: …'],
    ['bad token eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxMjM0NTYifQ', 'bad token ….…'],
    ['could not text +1 415 555 0100', 'could not text …'],
    [
      'order 3f2b1c4d-1111-4222-8333-123456789abc is gone',
      'order 3f2b1c4d-1111-4222-8333-123456789abc is gone',
    ],
    ['first line\n    at secret (/srv/app.js:1:2)', 'first line'],
  ])('%s', (text, scrubbed) => {
    expect(scrub(text)).toBe(scrubbed)
  })

  it('the scrubbed text of an error has a maximum length', () => {
    expect(scrub('no '.repeat(500)).length).toBeLessThan(310)
  })
})
