import { setTimeout as sleep } from 'node:timers/promises'
import type { Findings } from './account-stage.ts'
import { startLoad, uneditedIds } from './replica-load.ts'
import { hosts, json, setStage } from './replica-stage.ts'

/** Checks how nginx handles hosts, credentials, addresses and cached responses. */
export async function measureSite(): Promise<Findings> {
  const stage = await setStage()
  const load = await startLoad(stage)
  await load.stop()
  const broken: string[] = []
  let checks = 0
  const check = (title: string, actual: unknown, expected: unknown) => {
    checks++
    if (JSON.stringify(actual) !== JSON.stringify(expected)) {
      broken.push(`${title}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
    }
  }
  const ask = async (host: string, path: string, headers: Record<string, string> = {}) => {
    const answer = await stage.through(host, path, { headers })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const status = async (host: string, path: string) => (await ask(host, path)).status
  const cacheStatusOf = async (path: string, headers?: Record<string, string>) =>
    (await ask(hosts.api, path, headers)).headers.get('x-cache')

  check('the API', await status(hosts.api, '/emoji'), 200)
  check('the web', await status(hosts.web, '/'), 200)
  check(
    'a page of an id',
    await status(hosts.web, `/${encodeURIComponent(uneditedIds[0] ?? '')}`),
    200,
  )
  const metadata = await ask(hosts.auth, '/.well-known/oauth-authorization-server')
  check('the authorization site', JSON.parse(metadata.text).issuer, `https://${hosts.auth}`)
  for (const path of [
    '/api/emoji',
    '/auth/jwks',
    '/health/ready',
    '/dev',
    '//api/emoji',
    '/x/../api/emoji',
    '/%61pi/emoji',
  ]) {
    check(`${path} at the web's host`, await status(hosts.web, path), 404)
  }
  check(
    'a foreign name',
    await stage.through('other.example.com', '/').then(
      () => 'answered',
      () => 'refused',
    ),
    'refused',
  )
  check('an address is passed on as it came', await status(hosts.api, '/emoji_id/%zz'), 400)

  const path = stage.pathOf(uneditedIds[1] ?? '')
  const untilTooOld = () => sleep(stage.maxAgeMs + 1_100)
  await untilTooOld()
  check(
    'first',
    ['MISS', 'EXPIRED', 'REVALIDATED'].includes((await cacheStatusOf(path)) ?? ''),
    true,
  )
  check('again', await cacheStatusOf(path), 'HIT')
  const mayKeep = (await ask(hosts.api, path)).headers.get('cache-control')
  check('clients revalidate cached responses', mayKeep, 'public, no-cache')
  const proof = await ask(hosts.api, `${path}/proof`)
  check('a proof is not kept', proof.headers.get('cache-control'), 'public, no-cache')
  check(
    'by a page of another origin',
    await cacheStatusOf(path, { origin: 'https://other.example.org' }),
    'MISS',
  )
  for (const name of ['authorization', 'x-api-key', 'cookie']) {
    check(`with ${name}`, await cacheStatusOf(path, { [name]: 'something' }), 'BYPASS')
  }
  const [one, other] = [await ask(hosts.api, path), await ask(hosts.api, path)]
  check(
    'request ids',
    one.headers.get('x-request-id') !== other.headers.get('x-request-id') &&
      Boolean(other.headers.get('x-request-id')),
    true,
  )
  check(
    'a request id of their own',
    (await ask(hosts.api, path, { 'x-request-id': 'mine' })).headers.get('x-request-id'),
    'mine',
  )
  const etag = one.headers.get('etag') ?? ''
  const repeatedAnswer = await stage.through(hosts.api, path, {
    headers: { 'if-none-match': etag },
  })
  check('who has it already', repeatedAnswer.status, 304)
  await untilTooOld()
  check(
    'once it is too old',
    ['EXPIRED', 'REVALIDATED'].includes((await cacheStatusOf(path)) ?? ''),
    true,
  )
  const unowned = stage.pathOf('🐙🐙🐙🐙🐙')
  check('nothing', [await status(hosts.api, unowned), await cacheStatusOf(unowned)], [404, 'MISS'])
  const token = await stage.logIn()
  const account = await ask(hosts.api, '/account', { authorization: `Bearer ${token}` })
  check('an account', [account.status, account.headers.get('cache-control')], [200, 'no-store'])

  const readRest = async (from: string, forged?: string) => {
    const request = json('POST', {
      email: 'unknown@example.com',
      password: 'wrong and long enough',
    })
    const headers = { ...request.headers, ...(forged ? { 'x-forwarded-for': forged } : {}) }
    const answer = await stage.through(hosts.api, '/auth/token', { ...request, headers, from })
    await answer.text()
    return Number(answer.headers.get('ratelimit-remaining'))
  }
  const [first, second, elsewhere] = [
    await readRest('127.0.0.2'),
    await readRest('127.0.0.2', '8.8.8.8'),
    await readRest('127.0.0.3'),
  ]
  // Both processes count separately, so one of them may see its first request.
  check(
    'each address is counted for itself, and none can be made up',
    elsewhere >= first && second <= first,
    true,
  )
  await stage.clear()
  return { figures: { ...stage.versions, checks, failed: broken.length }, broken }
}
