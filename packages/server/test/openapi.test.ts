import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import type { Parameter } from './support/from-schema.ts'
import type { TestService } from './support/service.ts'
import { sharedService } from './support/shared-service.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
})

it('docs/openapi.json says what the routes do (npm run generate writes it anew)', async () => {
  const description = (await service.get('/api/openapi.json')).json()
  await expect(`${JSON.stringify(description, null, 2)}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url)),
  )
})

it('no parameter with a default is called required', async () => {
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
