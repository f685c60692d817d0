import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseTag } from '@emojid/core'
import { createClient, type Proof } from '@emojid/sdk'
import { createAddressBook } from '@emojid/sdk/address-book'
import { verifyProof } from '@emojid/sdk/verify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { at, grant } from '../support/ids.ts'
import { webServer } from '../support/outside.ts'
import { freePort } from '../support/process.ts'
import { rootOver, textHash } from '../support/schnorr.ts'
import { sharedReachableService } from '../support/shared-service.ts'
import {
  bitcoin,
  createPayable,
  ethereum,
  otherBitcoin,
  timeoutMs,
  watchedFetch,
} from '../support/wallet.ts'

/** Wallets on bad networks, and with services that lie. */
const service = await sharedReachableService()
const { admin, anna, api, setBitcoin, edit, newId } = await createPayable(service)

type Fault = (request: IncomingMessage, response: ServerResponse) => void

/** A connection to the service on which the first requests fail. */
async function wayWith(...faults: Fault[]) {
  let place = 0
  const way = await webServer(async (request, response) => {
    const fault = faults[place++]
    if (fault) return fault(request, response)
    const answer = await fetch(`${service.address}${request.url}`)
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  })
  onTestFinished(() => way.close())
  return { api: `${way.address}/api`, asked: way.asked }
}

const hangUp: Fault = (request) => request.socket.destroy()
const stopInTheMiddle: Fault = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '900' })
  response.write('{"status":true,"result":[')
  setTimeout(() => request.socket.destroy(), 10)
}
const limitedFault: Fault = (_request, response) =>
  response
    .writeHead(429, { 'retry-after': '1', 'content-type': 'application/json' })
    .end('{"error":"Too many.","code":"limited","request_id":"1"}')
const absentFault: Fault = (_request, response) =>
  response.writeHead(503, { 'retry-after': '0' }).end()

describe('a bad connection', () => {
  it('a bad connection is retried', async () => {
    const way = await wayWith(hangUp, stopInTheMiddle, absentFault)
    const { address } = await createClient({ ...way, timeoutMs }).pay(await newId(), {
      ticker: 'BTC',
    })
    expect([address, way.asked.length]).toEqual([bitcoin, 4])
  })

  it('a bad connection with Retry-After is retried', async () => {
    const way = await wayWith(limitedFault)
    const id = await newId()
    expect((await createClient({ ...way, timeoutMs }).lookup(id)).records).toHaveLength(2)
    expect(way.asked).toHaveLength(2)
  })

  it('that stays bad is reported', async () => {
    const id = await newId()
    const way = await wayWith(hangUp, stopInTheMiddle, hangUp, stopInTheMiddle)
    await expect(createClient(way).lookup(id)).rejects.toMatchObject({ code: 'network' })
    const closedClient = createClient({
      api: `http://127.0.0.1:${await freePort()}/api`,
      retries: 0,
    })
    await expect(closedClient.lookup(id)).rejects.toMatchObject({
      code: 'network',
      isTimeout: false,
    })
  })
})

type WireProof = Omit<Proof, 'id'> & { emoji_id: string }
type Lie = (proof: WireProof) => unknown

/** A wallet that verifies, and a proxy that changes proofs. */
function lyingTo(lie: Lie) {
  const { fetch } = watchedFetch(async (answer, url) => {
    if (!url.endsWith('/proof')) return answer
    return Response.json(lie((await answer.json()) as WireProof))
  })
  return createClient({ api, fetch, verify: verifyProof })
}

/** Exchanges the records and adjusts everything that needs no private key of the owner. */
function forgeProof(proof: WireProof): WireProof {
  const hash = textHash(0x1003, otherBitcoin)
  const record = { tag: parseTag('0x1003'), data: otherBitcoin, hash, proof: [] }
  return { ...proof, records: [record], merkle_root: rootOver([hash]) }
}

describe('a proof', () => {
  const honest: Lie = (proof) => proof
  let idOfLies: string | undefined

  it('that is valid is returned with its key', async () => {
    const id = await newId()
    const wallet = lyingTo(honest)
    const { pubkey } = await wallet.proof(id)
    expect(await wallet.lookup(id)).toMatchObject({ id, proven_by: pubkey })
    expect(await wallet.pay(id, { ticker: 'BTC' })).toMatchObject({ address: bitcoin })
    expect(await wallet.lookupMany([id])).toMatchObject([{ status: 'found', text: id }])
  })

  it('a proof is missing for an id without records', async () => {
    const empty = await grant(admin, { user_id: anna.id })
    await expect(lyingTo(honest).lookup(empty)).rejects.toMatchObject({ reason: 'unsigned' })
  })

  it.each<[string, Lie, object]>([
    ['of another address', forgeProof, { reason: 'signature' }],
    [
      'of data that was exchanged',
      (proof) => ({
        ...proof,
        records: proof.records.map((one) => ({ ...one, data: otherBitcoin })),
      }),
      { reason: 'record' },
    ],
    [
      'with a record left out',
      (proof) => ({ ...proof, records: proof.records.slice(1) }),
      { reason: 'root' },
    ],
    [
      'with other steps',
      (proof) => ({ ...proof, records: proof.records.map((one) => ({ ...one, proof: [] })) }),
      { reason: 'record' },
    ],
    ['without a signature', (proof) => ({ ...proof, signature: null }), { reason: 'unsigned' }],
    [
      'of another key',
      (proof) => ({
        ...proof,
        pubkey: 'e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76',
      }),
      { reason: 'signer' },
    ],
    [
      'with R and s exchanged',
      ({ signature, ...proof }) => ({
        ...proof,
        signature: signature && {
          ...signature,
          nonce: signature.signature,
          signature: signature.nonce,
        },
      }),
      { reason: 'signature' },
    ],
    [
      'that says what was signed itself',
      (proof) => ({ ...forgeProof(proof), message: 'x' }),
      { reason: 'signature' },
    ],
    ['of no id', (proof) => ({ ...proof, emoji_id: undefined }), { code: 'unexpected_answer' }],
  ])('%s is rejected, and nothing is paid', async (_what, lie, expectedError) => {
    idOfLies ??= await newId()
    const id = idOfLies
    const wallet = lyingTo(lie)
    await expect(wallet.pay(id, { ticker: 'BTC' })).rejects.toMatchObject(expectedError)
    await expect(wallet.lookup(id)).rejects.toMatchObject(expectedError)
    expect((await wallet.lookupMany([id]))[0]).toMatchObject({
      status: 'failed',
      error: expectedError,
    })
  })

  it('a proof with records in another order is inconclusive', async () => {
    const id = await newId()
    const reordering = lyingTo((proof) => ({ ...proof, records: proof.records.toReversed() }))
    expect((await reordering.pay(id, { ticker: 'BTC' })).address).toBe(bitcoin)
    const book = createAddressBook({ client: lyingTo(honest) })
    const wish = { token: 'FOO', network: 'ETH' }
    const own = (address: string) => ({ tag: '0x6300', data: `FOO|Foo|ETH|${address}||` })
    await edit(id, { insert: [own(ethereum)] })
    const entry = await book.remember(await lyingTo(honest).pay(id, wish))
    const second = own('0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359')
    await edit(id, { insert: [second], bypass_single_restrictions: true })
    for (const wallet of [lyingTo(honest), reordering]) {
      await expect(wallet.pay(id, wish)).rejects.toMatchObject({ reason: 'order' })
    }
    expect(await book.check(entry)).toMatchObject({ error: { reason: 'order' } })
  })

  it('a proof of another id is rejected, even with the name changed', async () => {
    const [id, other] = [await newId(), await newId()]
    const otherProof = (await service.get(at(other, '/proof'))).json<WireProof>()
    await expect(lyingTo(() => otherProof).lookup(id)).rejects.toMatchObject({
      code: 'unexpected_answer',
    })
    const renamedClient = lyingTo(() => ({ ...otherProof, emoji_id: id }))
    await expect(renamedClient.lookup(id)).rejects.toMatchObject({ reason: 'signature' })
  })
})

describe('the address book', () => {
  const remembered = async () => {
    const wallet = createClient({ api, verify: verifyProof })
    const book = createAddressBook({ client: wallet })
    const id = await newId()
    const entry = await book.remember(await wallet.pay(id, { ticker: 'BTC' }))
    return { book, id, entry, check: () => book.check(entry, { amount: '1' }) }
  }

  it('reports no change although other records changed', async () => {
    const { check, id, entry, book } = await remembered()
    await edit(id, { insert: [{ tag: '0x0002', data: 'hello' }] })
    expect(await check()).toMatchObject({ status: 'unchanged', payment: { address: bitcoin } })
    expect(await book.find(bitcoin)).toEqual([entry])
  })

  it('reports a change before the payment', async () => {
    const { check, id, book } = await remembered()
    await setBitcoin(id, otherBitcoin)
    const changedCheck = await check()
    expect(changedCheck).toMatchObject({ status: 'changed', payment: { address: otherBitcoin } })
    const acceptedEntry = await book.accept(changedCheck)
    expect(await book.check(acceptedEntry)).toMatchObject({ status: 'unchanged' })
  })

  it('reports a removed address', async () => {
    const { check, id } = await remembered()
    const { result } = (await service.get(at(id))).json<{ result: { hash: string }[] }>()
    await edit(id, { delete: result.map(({ hash }) => hash) })
    expect(await check()).toMatchObject({ status: 'removed', isRegistered: true })
  })

  it('reports a released id, and one with a new owner and the same address', async () => {
    const { check, id } = await remembered()
    expect((await anna.delete(at(id))).status).toBe(200)
    expect(await check()).toMatchObject({ status: 'removed', isRegistered: false })
    await grant(admin, { user_id: admin.id }, id)
    const insert = [{ tag: '0x1003', data: bitcoin }]
    expect((await admin.patch(at(id), { insert })).status).toBe(200)
    expect(await check()).toMatchObject({ status: 'new_owner', payment: { address: bitcoin } })
  })

  it('reports when it cannot know', async () => {
    const { entry } = await remembered()
    const offline = createClient({ api: `http://127.0.0.1:${await freePort()}/api`, retries: 0 })
    for (const [client, code] of [
      [offline, 'network'],
      [lyingTo(forgeProof), 'unproven'],
    ] as const) {
      const check = await createAddressBook({ client }).check(entry)
      expect(check).toMatchObject({ status: 'unchecked', error: { code } })
      expect(check).not.toHaveProperty('payment')
    }
  })
})
