import { expect, it, vi } from 'vitest'
import { testService } from '../support/service.ts'

it('the token of the demonstration gets pictures', async () => {
  const first = await testService({ env: { SEED_DEMO: 'false' } })
  await first.db.deleteFrom('demo_seeds').where('name', '=', 'token picture').execute()
  const service = await testService({
    databaseUrl: String(first.database?.url),
    env: { ROLES: 'api,auth,web,worker', FFMPEG_PATH: '/nowhere/ffmpeg' },
  })
  const metadata = async () =>
    (await service.get('/api/nft_transfers/metadata/1')).json<{
      image: string
      attributes: object[]
    }>()
  const isDrawn = async () => /\/pictures\/[0-9a-f]{64}\.png$/.test((await metadata()).image)
  await vi.waitUntil(isDrawn, { timeout: 60_000, interval: 100 })
  const { image, attributes } = await metadata()
  expect(attributes).toContainEqual({ trait_type: 'Visualizer Theme', value: 'night' })
  const picture = await fetch(service.address + new URL(image).pathname)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  await service.close()
  await first.close()
})
