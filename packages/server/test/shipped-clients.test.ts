import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { collectRoutes, contract, shapeOf } from './support/access.ts'
import { emptyBodies, jsonType, type SentBody } from './support/empty-bodies.ts'
import {
  describedOperations,
  exampleOf,
  type Operation,
  type Schema,
} from './support/from-schema.ts'
import { at, grant, newId, recordsOf } from './support/ids.ts'
import { bearer, newEmail, register, registerAs } from './support/people.ts'
import { sendRaw } from './support/raw.ts'
import { keyPair } from './support/schnorr.ts'
import { authenticator, type EnabledApp } from './support/second-factor.ts'
import { testService } from './support/service.ts'
import { sharedShop } from './support/shared-service.ts'
import { buyer, type Order } from './support/shop.ts'

const { override, sessions } = collectRoutes()
/** Requests of released wallets and SDKs, which cannot be changed any more. */
const shop = await sharedShop()
/** A service that receives examples of everything, prices included. */
const service = await testService({ override })
afterAll(() => service.close())
const admin = await registerAs(shop, 'Super')

const nameOf = ({ method, path }: Operation) => `${method} ${path}`
/** Payment providers are not wallets. */
const operations = describedOperations().filter(({ path }) => !path.startsWith('/webhooks'))
const named = (name: string, { type, enum: words }: Schema) => {
  if (type !== 'string' || words) return undefined
  if (name === 'emoji_id' || name === 'eid') return fc.constant(newId())
  if (name === 'pattern') return fc.constant('🔥*')
  if (name === 'pubkey') return fc.constant(keyPair().pubkey)
  return name === 'email' ? fc.constant(newEmail()) : undefined
}
const addressOf = ({ path, parameters }: Operation) => {
  const written = ({ name, schema }: Operation['parameters'][number]) =>
    encodeURIComponent(String(exampleOf(schema, { named: () => named(name, schema) })))
  const address = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, one) => text.replace(`{${one.name}}`, written(one)), `/api${path}`)
  const demandedParameters = parameters.filter(
    (parameter) => parameter.in === 'query' && parameter.required,
  )
  return `${address}?${demandedParameters.map((one) => `${one.name}=${written(one)}`).join('&')}`
}

const unset = {
  claimed_at: null,
  alternate_id: null,
  source: null,
  first_name: null,
  last_name: null,
  password_hash: null,
  activation_source: null,
  partner_transaction_id: null,
  two_factor_last_prompted_at: null,
  deactivated_at: null,
  deleted_at: null,
}

/** A Super in a separate session: some operations end it. */
async function freshToken(): Promise<string> {
  const at = new Date()
  const user = { email: newEmail(), role: 'Super' as const, email_verified_at: at }
  const values = { ...unset, ...user, created_at: at, updated_at: at }
  return service.db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('users')
      .values(values)
      .returning('id')
      .executeTakeFirstOrThrow()
    return (await sessions().openSession(trx, id, { user_agent: undefined })).access_token
  })
}

const canEndSession = ({ path }: Operation) => /logout|auth|account|users|sessions/.test(path)
let lasting: Promise<string> | undefined
const tokenFor = (operation: Operation): Promise<string> => {
  if (canEndSession(operation)) return freshToken()
  lasting ??= freshToken()
  return lasting
}

/** Why a Super's request was rejected as malformed, or `undefined`. */
async function sendMalformed(operation: Operation, { headers, raw }: SentBody): Promise<string> {
  const answer = await service.call(operation.method, addressOf(operation), {
    headers: { ...headers, ...bearer(await tokenFor(operation)).headers },
    ...(raw === undefined ? {} : { raw }),
  })
  expect(answer.status).toBeLessThan(500)
  return answer.status === 400 ? answer.body : ''
}

describe('an operation without a body', () => {
  const bodilessOperations = operations.filter(
    ({ method, body }) => /POST|DELETE/.test(method) && !body,
  )
  it.each(bodilessOperations.map((operation) => [nameOf(operation), operation] as const))(
    '%s accepts an empty body called JSON, and null',
    async (_name, operation) => {
      for (const [, sentBody] of emptyBodies)
        expect(await sendMalformed(operation, sentBody)).toBe('')
    },
  )

  it.each(emptyBodies)('accepts %s from a wallet', async (_what, sentBody) => {
    const person = await buyer(shop)
    const credentials = bearer(person.tokens.access_token).headers
    const done = async (method: string, path: string) => {
      const answer = await shop.call(method, `/api${path}`, {
        ...sentBody,
        headers: { ...sentBody.headers, ...credentials },
      })
      expect([method, path, answer.status]).toEqual([method, path, 200])
    }
    const cart = await person.add(newId(), newId())
    await done('DELETE', `/cart/cart_items/${cart.order_items[0]?.id}`)
    await person.checkout('CardCheckout')
    await done('POST', '/cart/convert_to_draft')
    await done('DELETE', '/cart')
    const keyResponse = await person.post('/api/api_keys', { name: 'a key' })
    await done('DELETE', `/api_keys/${keyResponse.json<{ id: string }>().id}`)
    const id = newId()
    await person.post('/api/user_interests', { emoji_id: id })
    await done('DELETE', `/user_interests/${encodeURIComponent(id)}`)
    await done('POST', '/pubkeys')
    await done('POST', '/logout')
  })

  it.each(['null', '{}', '{"broken'])('ignores a body on GET: %s', async (body) => {
    const person = await register(shop, { password: null })
    for (const path of ['/emoji', '/account']) {
      const { status } = await sendRaw(
        shop.port,
        `GET /api${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
          `Authorization: Bearer ${person.tokens.access_token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      expect([path, status]).toEqual([path, 200])
    }
  })
})

/** Every optional member as null, at every depth. */
function withNulls(value: unknown, schema: Schema | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => withNulls(item, schema?.items))
  if (value === null || typeof value !== 'object' || !schema?.properties) return value
  const members = Object.entries(schema.properties).map(([name, of]) => {
    const original = (value as Record<string, unknown>)[name]
    return [name, original === undefined ? null : withNulls(original, of)]
  })
  return Object.fromEntries(members)
}

describe('an operation with a body', () => {
  const full = operations.filter(({ body }) => body?.type === 'object')
  it.each(full.map((operation) => [nameOf(operation), operation] as const))(
    '%s accepts optional members as null, and unknown members unless documented otherwise',
    async (_name, operation) => {
      const body = operation.body as Schema
      const example = () => exampleOf(body, { named }) as Record<string, unknown>
      const send = (value: unknown) =>
        sendMalformed(operation, { headers: jsonType, raw: JSON.stringify(value) })
      const unknown = { a_member_of_tomorrow: { a: [1] }, another: null }
      // Operations that move money have no shipped client. They reject a choice that they would
      // drop.
      const isStrict = body.additionalProperties === false
      const both = { ...(withNulls(example(), body) as object), ...unknown }
      if (!isStrict && (await send(both)) === '') return
      // Some examples are rejected for their values, but for no other reason.
      const plain = await send(example())
      for (const [value, isRefused] of [
        [withNulls(example(), body), plain !== ''],
        [{ ...example(), ...unknown }, plain !== '' || isStrict],
      ] as const) {
        const malformation = await send(value)
        expect([malformation !== '', malformation]).toEqual([isRefused, malformation])
      }
    },
  )

  const shippedOperations = full.flatMap((operation) => {
    const shippedBody = bodyOf(nameOf(operation))
    return shippedBody ? [[nameOf(operation), operation, shippedBody] as const] : []
  })
  it.each(shippedOperations)(
    '%s requires only members that shipped clients send',
    async (_name, { body }, { required = [], properties = {} }) => {
      expect((body?.required ?? []).filter((one) => !required.includes(one))).toEqual([])
      for (const [member, of] of Object.entries(properties)) {
        const words = resolved(of).enum ?? []
        const ownWords = wordsOf(body?.properties?.[member])
        if (ownWords)
          expect([member, words.filter((word) => !ownWords.includes(word))]).toEqual([member, []])
      }
    },
  )
})

type SchemaReference = Schema & { $ref?: string }
const resolved = (schema: SchemaReference): Schema =>
  schema.$ref ? contract.components.schemas[schema.$ref.split('/').at(-1) as string] : schema
const wordsOf = (schema: Schema | undefined): readonly unknown[] | undefined =>
  schema?.enum ?? schema?.anyOf?.find((one) => one.enum)?.enum
/** The body that the contract describes for an operation. */
function bodyOf(name: string): Schema | undefined {
  for (const [path, methods] of Object.entries<Record<string, never>>(contract.paths)) {
    for (const [method, operation] of Object.entries<{ requestBody?: object }>(methods)) {
      if (shapeOf(`${method.toUpperCase()} ${path}`) !== shapeOf(name)) continue
      const { content } = (operation.requestBody ?? {}) as {
        content?: Record<string, { schema: SchemaReference }>
      }
      const schema = content?.['application/json']?.schema
      return schema && resolved(schema)
    }
  }
  return undefined
}

describe('X-Api-Key', async () => {
  const person = await register(shop, { password: null })
  const keyResponse = await person.post('/api/api_keys', { name: 'a wallet' })
  const key = { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key }
  const status = async (more: Record<string, string>) =>
    (await shop.get('/api/account', { headers: { ...key, ...more } })).status

  it('X-Api-Key works alone', async () => {
    expect(await status({})).toBe(200)
  })

  it.each(['', 'undefined', 'null', 'Basic dXNlcjpwYXNz', 'Token abc', 'abc.def.ghi'])(
    'works beside “%s”, which is not a Bearer token',
    async (authorization) => {
      expect(await status({ authorization })).toBe(200)
    },
  )

  it('X-Api-Key works beside a token of the same user, and not beside that of another', async () => {
    const other = await register(shop, { password: null })
    expect(await status(bearer(person.tokens.access_token).headers)).toBe(200)
    expect(await status(bearer(other.tokens.access_token).headers)).toBe(401)
  })
})

describe('lists in URLs', async () => {
  const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
  const id = await grant(admin, { user_id: admin.id })
  const insert = [
    { tag: '0X1003', data: bitcoin },
    { tag: '0X1004', data: ether },
    { tag: '0x0005', data: 'A wallet' },
  ]
  expect((await admin.patch(at(id), { insert })).body).toContain(id)

  it('return tags as 0x and four lower-case digits, in any input form', async () => {
    const tags = (await recordsOf(shop, id)).map(({ tag }) => tag)
    expect(tags.sort()).toEqual(['0x0005', '0x1003', '0x1004'])
  })

  it.each(['0x1003,0x1004', '0x1003%2C0x1004', '0X1003%2c0X1004'])(
    'accept two tags as tags=%s',
    async (tags) => {
      const { result } = (await shop.get(at(id, `?tags=${tags}`))).json<{
        result: { tag: string }[]
      }>()
      expect(result.map(({ tag }) => tag)).toEqual(['0x1003', '0x1004'])
      const paymentAnswer = (await shop.get(at(id, `/payment?tags=${tags}`))).json<{
        result: object
      }>()
      expect(Object.keys(paymentAnswer.result)).toEqual(['0x1003', '0x1004'])
    },
  )

  it.each([
    'keys=SvcPageData,SvcLinkData',
    'keys=SvcPageData%2CSvcLinkData',
    'keys=SvcPageData%2cSvcLinkData',
    'keys=SvcPageData&keys=SvcLinkData',
  ])('accept two entries as %s', async (query) => {
    const entries = (await shop.get(at(id, `/json?${query}`))).json()
    expect(Object.keys(entries)).toEqual(['SvcPageData', 'SvcLinkData'])
  })
})

describe('optional members', () => {
  it('optional members of enabling a second factor are null', async () => {
    const person = await register(shop, { password: null })
    const wish = { provider: 'AuthenticatorApp', default: null, phone: null }
    const preparationAnswer = await person.post('/api/account/2fa/enable', wish)
    const { ga_secret } = preparationAnswer.json<EnabledApp>()
    const code = authenticator(shop, ga_secret).code()
    expect((await person.post('/api/account/2fa/confirm', { code })).status).toBe(200)
  })

  it('optional members of a card checkout are null, which creates a payment intent', async () => {
    const person = await buyer(shop)
    await person.add(newId())
    const { payment_method_data: data }: Order = await person.checkout('CardCheckout', {
      cancel_url: null,
      success_url: null,
      pubkey: null,
      amount: null,
      tracking_data: null,
    })
    expect(data?.payment_intent_id).toMatch(/^pi_/)
    expect(data?.client_secret).toMatch(/_secret_/)
    expect(data?.session_id ?? null).toBeNull()
  })
})
