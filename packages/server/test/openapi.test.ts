import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestService, testService } from './support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.close())

it('docs/openapi.json says what the routes do (npm run generate writes it anew)', async () => {
  const description = (await service.get('/api/openapi.json')).json()
  await expect(`${JSON.stringify(description, null, 2)}\n`).toMatchFileSnapshot(
    fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url)),
  )
})
