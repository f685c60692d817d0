import { expect, it } from 'vitest'
import { lookupPaths } from './support/open-routes.ts'
import { sharedReachableService, sharedService } from './support/shared-service.ts'

/** A 304 has no body. */
const ofBody = new Set(['content-length', 'content-type', 'content-range', 'transfer-encoding'])
/** These differ per response. */
const ofAnswer = new Set(['date', 'x-request-id', 'keep-alive', 'connection', 'x-served-from'])

it.each([
  ...lookupPaths('🔥🐍'),
  `/${encodeURIComponent('🔥🐍')}`,
  '/',
  '/dev',
  '/art/1f525.svg',
  '/api/emoji',
  '/api/tags',
  '/api/openapi.json',
  '/api/docs/',
])('%s has the same headers in a 304 as in a 200', async (path) => {
  const service = await (path === '/dev' ? sharedReachableService() : sharedService())
  const whole = await service.get(path)
  const etag = whole.headers.get('etag')
  const same = await service.get(path, etag ? { headers: { 'if-none-match': etag } } : {})
  const headersOf = ({ headers }: typeof whole) =>
    Object.fromEntries([...headers].filter(([name]) => !ofBody.has(name) && !ofAnswer.has(name)))

  expect([whole.status, same.status]).toEqual([200, etag ? 304 : 200])
  expect(headersOf(same)).toEqual(headersOf(whole))
  const head = await service.call('HEAD', path, etag ? { headers: { 'if-none-match': etag } } : {})
  expect(head.status).toBe(same.status)
})
