import { expect, it } from 'vitest'
import type { Container } from '../../src/container.ts'
import type { Codes } from '../../src/features/codes/index.ts'
import { cartOf, ordersOf } from '../support/codes.ts'
import { register } from '../support/people.ts'
import { keyPair } from '../support/schnorr.ts'
import { testService } from '../support/service.ts'

/** The service, and what the person who starts it is told. */
const started = async (databaseUrl?: string) => {
  let container: Container | undefined
  const override = (built: Container): Container => {
    container = built
    return built
  }
  const service = await testService({ override, ...(databaseUrl ? { databaseUrl } : {}) })
  const told = /^Code for random ids: (\S+), key (\S+), private (\S+) /
  const [, code_id = '', pubkey, secret] =
    container?.notices.map((line) => told.exec(line)).find((found) => found !== null) ?? []
  return { service, code_id, pubkey, secret }
}

it('the demonstration has WELCOME, and a code whose key is told at the first start alone', async () => {
  const { service, code_id, pubkey, secret } = await started()
  const second = await started(String(service.database?.url))
  await second.service.close()
  expect(second.secret).toBeUndefined()

  const anna = await register(service)
  const cart = cartOf(anna.id)
  const { discounts } = await ordersOf(service).reserve({ code: 'welcome' }, cart)
  expect(discounts).toEqual([{ item_id: cart.items[0]?.id, cents: 1_000 }])

  const key = keyPair(secret)
  expect(key.pubkey).toBe(pubkey)
  const caller = { user_id: anna.id } as Parameters<Codes['activate']>[1]
  for (const signature of [key.sign('emojid/code-activation/v1', anna.id), key.signBare(anna.id)]) {
    const given = { pubkey: key.pubkey, ...signature }
    const opened = service.db
      .transaction()
      .execute((trx) => service.codes.activate(trx, caller, code_id, given))
    expect(await opened).toMatchObject({ id: code_id, code_type: 'RandomYat' })
  }
  await service.close()
})
