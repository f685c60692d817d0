import { expect, it, vi } from 'vitest'
import type { Codes } from '../../src/features/shop/codes/codes.ts'
import { cartOf, ordersOf } from '../support/codes.ts'
import { testDatabase } from '../support/database.ts'
import { withSmallPictures } from '../support/drawing.ts'
import { execute } from '../support/global-setup.ts'
import { logIn, register } from '../support/people.ts'
import { keyPair, signActivation } from '../support/schnorr.ts'
import { testService } from '../support/service.ts'

/** The service, and the notices on its terminal. */
const start = async (databaseUrl?: string) => {
  const notices: string[] = []
  const service = await testService({
    announce: (line) => notices.push(line),
    isDemoNew: true,
    ...(databaseUrl ? { databaseUrl } : {}),
  })
  const find = (pattern: RegExp) =>
    notices.map((line) => pattern.exec(line)).find((match) => match !== null) ?? []
  return { service, find }
}
const codeNotice = /^Code for random ids: (\S+), key (\S+), private (\S+) /
const adminNotice = /^Administrator: (\S+) with the password (\S+) /

it('the demonstration has its administrator’s partner and codes, and is seeded once', async () => {
  const { service, find } = await start()
  const branding = await service.get('/api/organizations/demo/branding')
  expect(branding.status).toBe(200)
  expect(branding.json()).toMatchObject({
    name: 'Demo Wallet',
    return_link: 'http://localhost:3000/dev/return',
    currencies: ['BTC', 'ETH', 'XMR', 'USDC'],
  })
  const [, email = '', password = ''] = find(adminNotice)
  const admin = await logIn(service, { email, password })
  const own = (await admin.get('/api/organizations')).json<Record<string, unknown>[]>()
  expect(own).toMatchObject([{ name: 'Demo Wallet', partner_path: 'demo', role: 'OrgOwner' }])
  const changedBranding = {
    currencies: ['BTC'],
    return_link: 'http://localhost:3000/dev/elsewhere',
  }
  expect((await admin.put('/api/organizations/demo/branding', changedBranding)).status).toBe(200)

  const anna = await register(service)
  const cart = cartOf(anna.id)
  const { discounts } = await ordersOf(service).reserve({ code: 'welcome' }, cart)
  expect(discounts).toEqual([{ item_id: cart.items[0]?.id, cents: 1_000 }])
  const [, code_id = '', pubkey, secret] = find(codeNotice)
  const key = keyPair(secret)
  expect(key.pubkey).toBe(pubkey)
  const caller = { user_id: anna.id } as Parameters<Codes['activateCode']>[1]
  const open = (signatureBody: ReturnType<typeof signActivation>) =>
    service.db
      .transaction()
      .execute((trx) => service.codes.activateCode(trx, caller, code_id, signatureBody))
  const signedAnswer = await open(signActivation(key, anna.id, code_id))
  expect(signedAnswer).toMatchObject({ id: code_id, code_type: 'RandomYat' })
  const weak = { pubkey: key.pubkey, ...key.signBare(anna.id) }
  await expect(open(weak)).rejects.toMatchObject({ code: 'invalid_code' })

  const second = await start(String(service.database?.url))
  expect((await second.service.get('/api/organizations/demo/branding')).json()).toMatchObject(
    changedBranding,
  )
  expect(second.find(codeNotice)).toEqual([])
  await second.service.close()
  await service.close()
})

it('the demonstration leaves another organization at its path unchanged, and draws its token', async () => {
  const database = await testDatabase()
  await execute(
    database.connection,
    `insert into organizations (name, partner_path, created_at, updated_at)
     values ('Mine', 'demo', now(), now())`,
  )
  await execute(database.connection, `delete from demo_seeds where name = 'token picture'`)
  const service = await testService({
    databaseUrl: database.url,
    env: { ROLES: 'api,auth,web,worker', FFMPEG_PATH: '/nowhere/ffmpeg' },
    override: withSmallPictures(),
  })
  expect((await service.get('/api/organizations/demo/branding')).status).toBe(404)

  const metadata = async () =>
    (await service.get('/api/nft_transfers/metadata/1')).json<{
      image: string
      attributes: object[]
    }>()
  const isDrawn = async () => /\/pictures\/[0-9a-f]{64}\.png$/.test((await metadata()).image)
  await vi.waitUntil(isDrawn, { timeout: 120_000, interval: 100 })
  const { image, attributes } = await metadata()
  expect(attributes).toContainEqual({ trait_type: 'Visualizer Theme', value: 'night' })
  const picture = await fetch(service.address + new URL(image).pathname)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  await service.close()
  await database.drop()
})
