import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Scope } from '../src/features/operations/access/access.ts'
import { patternWords } from '../src/platform/http/faults.ts'
import { allScopes } from './support/access.ts'
import { errorsPage, findRefusals } from './support/errors-page.ts'
import type { Parameter } from './support/from-schema.ts'
import { operationsByScope, scopesPage } from './support/scopes-page.ts'
import { type TestService, testService } from './support/service.ts'

const scopes = allScopes as Scope[]
type ApiDescription = Parameters<typeof operationsByScope>[0]

let service: TestService
beforeAll(async () => {
  // The other roles need the built pages, which the static checks do without.
  service = await testService({ env: { ROLES: 'api', SEED_DEMO: 'false' } })
})
afterAll(() => service.close())

it('docs/openapi.json matches the routes (npm run generate writes it)', async () => {
  const description = (await service.get('/api/openapi.json')).json()
  await expect(`${JSON.stringify(description, null, 2)}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url)),
  )
})

it('docs/scopes.md lists the operations of every scope (npm run generate writes it)', async () => {
  const description = (await service.get('/api/openapi.json')).json<ApiDescription>()
  await expect(scopesPage(scopes, description)).toMatchFileSnapshot(
    fileURLToPath(new URL('../../../docs/scopes.md', import.meta.url)),
  )
})

it('docs/errors.md lists the code of every refusal, each with one status (npm run generate writes it)', async () => {
  const { read, unread } = findRefusals()
  const statuses = new Map<string, Set<string>>()
  for (const { code, status } of read) {
    statuses.set(code, (statuses.get(code) ?? new Set()).add(status))
  }
  expect([...statuses.keys()].filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([])
  expect([...statuses].filter(([, statusesOfCode]) => statusesOfCode.size > 1)).toEqual([])
  // They pass on the code of another error. Their other codes are listed by hand.
  expect([...new Set(unread)].toSorted()).toEqual([
    'features/directory/edits/rules.ts',
    'features/directory/records/answers.ts',
    'features/directory/transfers/rules.ts',
    'features/lootboxes/rules.ts',
    'features/oauth/grants/rules.ts',
    'features/shop/purchases/rules.ts',
    'platform/errors.ts',
    'records/check-record.ts',
    'sites/auth/token.ts',
  ])
  await expect(errorsPage(read)).toMatchFileSnapshot(
    fileURLToPath(new URL('../../../docs/errors.md', import.meta.url)),
  )
})

it('every error code of the nginx configuration is one of the service, except that of an outage', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const codes = [...read('deploy/nginx/emojid.conf').matchAll(/"code":"(\w+)"/g)]
  const known = read('docs/errors.md')
  // A service that cannot be reached says nothing itself.
  expect(codes.map(([, code]) => code).filter((code) => !known.includes(`\`${code}\``))).toEqual([
    'unavailable',
  ])
})

it('every pattern of a request has words for its error', async () => {
  const text = (await service.get('/api/openapi.json')).body
  const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
    ([, pattern]) => JSON.parse(pattern ?? '') as string,
  )
  // Patterns of names and reasons, which share one sentence.
  const isOfText = (pattern: string) => pattern.includes('\\u0000')
  const formats = new Set(patterns.filter((pattern) => !isOfText(pattern)))
  expect([...formats].toSorted()).toEqual(Object.keys(patternWords).toSorted())
})

it('every scope that a feature checks is declared by a route', async () => {
  const guarded = operationsByScope((await service.get('/api/openapi.json')).json<ApiDescription>())
  const folder = fileURLToPath(new URL('../src/features', import.meta.url))
  const checkedScopes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ts$/.test(path) && !/(routes|test)\.ts$|(^|\/)access\//.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      return scopes.filter((scope) => text.includes(`'${scope}'`))
    })
  // Tokens with a pending code hold these two, which give no access.
  const ofPending = ['auth:twoFactor', 'token:refresh']
  const undeclared = new Set(checkedScopes.filter((scope) => !guarded.has(scope)))
  expect([...undeclared].toSorted()).toEqual(ofPending)
})

it('no parameter with a default is required', async () => {
  const { paths } = (await service.get('/api/openapi.json')).json<{
    paths: Record<string, Record<string, { parameters?: Parameter[] }>>
  }>()
  const parameters = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ parameters = [] }) => parameters),
  )
  const withDefault = parameters.filter(({ schema }) => 'default' in schema)
  expect(withDefault.length).toBeGreaterThan(0)
  expect(withDefault.filter(({ required }) => required)).toEqual([])
})
