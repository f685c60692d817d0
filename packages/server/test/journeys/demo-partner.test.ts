import { expect, it } from 'vitest'
import type { Container } from '../../src/container.ts'
import { logIn } from '../support/people.ts'
import { testService } from '../support/service.ts'

it('the demonstration has a partner, which the administrator owns', async () => {
  let notices: string[] = []
  const override = (built: Container): Container => {
    notices = built.notices
    return built
  }
  const service = await testService({ override })
  const branding = await service.get('/api/organizations/demo/branding')
  expect(branding.status).toBe(200)
  expect(branding.json()).toMatchObject({
    name: 'Demo Wallet',
    return_link: 'http://localhost:3000/dev/return',
    currencies: ['BTC', 'ETH', 'XMR', 'USDC'],
  })

  const told = /^Administrator: (\S+) with the password (\S+) /
  const [, email = '', password = ''] = notices.map((line) => told.exec(line)).find(Boolean) ?? []
  const admin = await logIn(service, { email, password })
  const own = (await admin.get('/api/organizations')).json<Record<string, unknown>[]>()
  expect(own).toMatchObject([{ name: 'Demo Wallet', partner_path: 'demo', role: 'OrgOwner' }])
  const changed = { currencies: ['BTC'], return_link: 'http://localhost:3000/dev/elsewhere' }
  expect((await admin.put('/api/organizations/demo/branding', changed)).status).toBe(200)

  const again = await testService({ databaseUrl: String(service.database?.url) })
  expect((await again.get('/api/organizations/demo/branding')).json()).toMatchObject(changed)
  await again.close()
  await service.close()
})

it('leaves alone what somebody else has made at its path', async () => {
  const first = await testService({ env: { SEED_DEMO: 'false' } })
  const at = new Date()
  await first.db
    .insertInto('organizations')
    .values({ name: 'Mine', partner_path: 'demo', created_at: at, updated_at: at })
    .execute()
  const second = await testService({ databaseUrl: String(first.database?.url) })
  expect((await second.get('/api/organizations/demo/branding')).status).toBe(404)
  await second.close()
  await first.close()
})
