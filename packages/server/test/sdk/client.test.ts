import {
  createClient,
  memoryTokens,
  NoAddressError,
  UnexpectedAnswerError,
  UnregisteredError,
} from '@emojid/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { at, grant, newId } from '../support/ids.ts'
import { goodPassword, logIn, register } from '../support/people.ts'
import { authenticator, type EnabledApp } from '../support/second-factor.ts'
import { sharedSite } from '../support/shared-site.ts'
import {
  bitcoin,
  createPayable,
  ethereum,
  otherBitcoin,
  timeoutMs,
  watchedFetch,
} from '../support/wallet.ts'

const service = await sharedSite()
const { admin, anna, api, edit, setBitcoin, newId: annasId, client } = await createPayable(service)

describe('the lookup', () => {
  it('returns the records of an id in any spelling', async () => {
    const id = await grant(admin, { user_id: anna.id }, '☠️👍🐙')
    await setBitcoin(id, bitcoin)
    for (const spelling of ['☠👍🐙', '☠️👍🏿🐙', id]) {
      const { records, ...rest } = await client.lookup(spelling)
      expect(rest).toMatchObject({ id, views: 0 })
      expect(records).toMatchObject([{ tag: '0x1003', data: bitcoin }])
    }
    expect((await client.lookup(id, { tags: ['0x1004'] })).records).toEqual([])
  })

  it('distinguishes an id without an owner from an address without an API', async () => {
    await expect(client.lookup(newId())).rejects.toThrow(UnregisteredError)
    await expect(client.proof(newId())).rejects.toThrow(UnregisteredError)
    const lostClient = createClient({ api: `${service.address}/nothing`, retries: 0 })
    await expect(lostClient.lookup(newId())).rejects.toThrow(UnexpectedAnswerError)
  })

  it('the lookup of many ids distinguishes each', async () => {
    const [id, unowned] = [await annasId(), newId()]
    const lookupResults = await client.lookupMany([id, 'x', unowned], { tags: ['0x1003'] })
    expect(lookupResults).toMatchObject([
      { text: id, status: 'found', records: [{ data: bitcoin }] },
      { text: 'x', status: 'invalid', error: { place: 1, emoji: 'x' } },
      { text: unowned, status: 'unregistered' },
    ])
  })

  it('revalidates its cache, and sees a change immediately', async () => {
    const id = await annasId()
    const { fetch, went } = watchedFetch()
    const wallet = createClient({ api, fetch, timeoutMs })
    const payAddressNow = async () => (await wallet.pay(id, { ticker: 'BTC' })).address
    expect([await payAddressNow(), await payAddressNow()]).toEqual([bitcoin, bitcoin])
    await setBitcoin(id, otherBitcoin)
    expect([await payAddressNow(), await payAddressNow()]).toEqual([otherBitcoin, otherBitcoin])
    expect(went.map(({ status }) => status)).toEqual([200, 304, 200, 304])
  })
})

it('a search returns price and availability', async () => {
  const id = await annasId()
  expect((await client.search(id)).result).toMatchObject({ emoji_id: id, availability: 'Taken' })
})

describe('a payment', () => {
  it('goes to the address that the service itself returns', async () => {
    const id = await annasId()
    const tokenData = 'USDC|USD Coin|ETH|0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359||'
    await edit(id, { insert: [{ tag: '0x6300', data: tokenData }] })
    const wishes = [
      'USDC ETH',
      'USDT ETH',
      'DAI ETH',
      'USDC MATIC',
      'USDC SOL',
      'ETH ETH',
      'XYZ ETH',
      'USDC POL',
      'USDT TRX',
      'BTC ETH',
    ]
    for (const wish of wishes) {
      const [token = '', network = ''] = wish.split(' ')
      const answer = await service.get(at(id, `/payment?token=${token}&network=${network}`))
      type PaymentAnswer = { address: string; source: string }
      const [otherResult] = Object.values(
        answer.json<{ result: Record<string, PaymentAnswer> }>().result,
      )
      const ownPayment = await client.pay(id, { token, network }).catch((error) => {
        if (error instanceof NoAddressError) return undefined
        throw error
      })
      expect([ownPayment?.address, ownPayment?.source], wish).toEqual([
        otherResult?.address,
        otherResult?.source,
      ])
    }
  })

  it('a payment gets a link for a wallet, or an error without an address', async () => {
    const id = await annasId()
    expect(await client.pay(id, { ticker: 'BTC', amount: '0.01' })).toMatchObject({
      id,
      address: bitcoin,
      source: 'coin_record',
      checked: 'checksum',
      uri: `bitcoin:${bitcoin}?amount=0.01`,
    })
    expect(await client.pay(id, { token: 'USDT', network: 'ETH' })).toMatchObject({
      address: ethereum,
      source: 'network_record',
    })
    await expect(client.pay(id, { ticker: 'XMR' })).rejects.toThrow(NoAddressError)
  })
})

describe('an account', () => {
  const account = async () => {
    const { email } = await register(service)
    const watched = watchedFetch()
    const tokens = memoryTokens()
    const wallet = createClient({ api, fetch: watched.fetch, tokens, timeoutMs })
    const state = await wallet.logIn({ email, password: goodPassword })
    return { ...watched, wallet, tokens, state, email }
  }
  /** Until the test ends. */
  const expireTokens = () => {
    service.clock.advance(16 * 60_000)
    onTestFinished(() => service.clock.advance(-16 * 60_000))
  }
  const refreshes = (went: { path: string }[]) =>
    went.filter(({ path }) => path.endsWith('/refresh')).length

  it('signs in and out', async () => {
    const { wallet, tokens, state, email } = await account()
    expect(state).toEqual({ requires_2fa: null })
    expect((await wallet.api.account.showAccount()).user.email).toBe(email)
    await wallet.logOut()
    expect(await tokens.load()).toBeUndefined()
    await expect(wallet.api.account.showAccount()).rejects.toMatchObject({ status: 401 })
  })

  it('an account gets one new token for many requests after the old one expires', async () => {
    const { wallet, went, tokens } = await account()
    const before = await tokens.load()
    expireTokens()
    const calls = Array.from({ length: 25 }, () => wallet.api.keys.listPubkeys())
    expect((await Promise.all(calls)).map((keys) => keys.length)).toEqual(Array(25).fill(1))
    expect(refreshes(went)).toBe(1)
    expect(await tokens.load()).not.toEqual(before)
  })

  it('keeps working at two places that refresh at once', async () => {
    const { tokens } = await account()
    expireTokens()
    const wallets = [1, 2].map(async () => {
      const copy = memoryTokens(await tokens.load())
      await createClient({ api, tokens: copy }).api.keys.listPubkeys()
      return copy.load()
    })
    const [one, other] = await Promise.all(wallets)
    expect(one?.refresh_token).toBe(other?.refresh_token)
  })

  it('enters a second-factor code', async () => {
    const person = await register(service)
    const { tokens: first } = await logIn(service, person)
    const store = memoryTokens(first)
    const wallet = createClient({ api, tokens: store })
    const body = { provider: 'AuthenticatorApp' as const, default: true }
    const { ga_secret } = (await wallet.api.secondFactor.enableSecondFactor({ body })) as EnabledApp
    const app = authenticator(service, ga_secret)
    await wallet.api.secondFactor.confirmSecondFactor({ body: { code: app.code() } })
    expect(await wallet.logIn(person)).toEqual({ requires_2fa: 'AuthenticatorApp' })
    expect(await wallet.giveCode(app.next())).toEqual({ requires_2fa: null })
    expect((await wallet.api.account.showAccount()).user.id).toBe(person.id)
  })
})

it('lists are read page by page', async () => {
  const wallet = createClient({ api, tokens: memoryTokens(admin.tokens) })
  const userIds: string[] = []
  const query = { limit: 3, sort: 'created_at', dir: 'Asc' } as const
  for await (const user of wallet.api.operators.listUsers.each({ query })) userIds.push(user.id)
  const { paging } = await wallet.api.operators.listUsers({ query: { limit: 1 } })
  expect(userIds.length).toBeGreaterThan(3)
  expect(new Set(userIds).size).toBe(paging.total)
  const some: string[] = []
  for await (const user of wallet.api.operators.listUsers.each({ query })) {
    some.push(user.id)
    if (some.length === 2) break
  }
  expect(some).toEqual(userIds.slice(0, 2))
})

it('a write whose response was lost has one effect', async () => {
  const { tokens } = await logIn(service, admin)
  let losses = 2
  const { fetch, went } = watchedFetch((answer) => {
    if (losses-- > 0) throw new TypeError('fetch failed')
    return answer
  })
  const wallet = createClient({ api, fetch, tokens: memoryTokens(tokens), timeoutMs })
  const emoji_id = newId()
  const body = { emoji_id, user_id: anna.id }
  expect(await wallet.api.operators.grantEmojiId({ body })).toMatchObject({
    canonical_format: emoji_id,
  })
  expect(went).toHaveLength(3)
  expect(new Set(went.map(({ key }) => key)).size).toBe(1)
})
