import type { Tag } from '@emojid/core'
import { describe, expect, it } from 'vitest'
import { thrownBy } from '../../test/support.ts'
import { AlreadyRememberedError, createAddressBook } from '../address-book.ts'
import type { Proof } from '../directory/answers.ts'
import { NetworkError, ProofError, RefusedError, UnregisteredError } from '../errors.ts'
import { parseId } from '../ids.ts'
import { paymentFrom } from '../payment.ts'
import { memoryStorage, webStorage } from './storage.ts'

const old = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const other = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const [anna, ben] = ['a'.repeat(64), 'b'.repeat(64)]

const proofOf = (address: string | undefined, pubkey: string | undefined = anna): Proof => ({
  id: parseId('🔥🐍'),
  pubkey: pubkey ?? null,
  version: 1,
  merkle_root: '',
  signature: null,
  records: address ? [{ tag: '0x1003' as Tag, data: address, hash: '', proof: [] }] : [],
})

/** A service whose response the test changes; requests are counted. */
function directory(first: Proof) {
  let next: Proof | Error = first
  let requestCount = 0
  return {
    client: {
      async proof() {
        requestCount++
        if (next instanceof Error) throw next
        return next
      },
    },
    becomes(answer: Proof | Error) {
      next = answer
    },
    countRequests: () => requestCount,
  }
}

async function rememberAddress() {
  const service = directory(proofOf(old))
  const storage = memoryStorage()
  const book = createAddressBook({ client: service.client, storage })
  const payment = paymentFrom('🔥🐍', proofOf(old).records, { ticker: 'BTC' })
  const entry = await book.remember(payment, { nickname: 'Anna' })
  return { ...service, book, entry, storage }
}

describe('an entry', () => {
  it('an entry is found by its address', async () => {
    const { book, entry } = await rememberAddress()
    expect(await book.find(old)).toEqual([entry])
    expect(entry).toMatchObject({
      id: '🔥🐍',
      nickname: 'Anna',
      owner: anna,
      currency: { ticker: 'BTC' },
    })
    expect(await book.find(other)).toEqual([])
  })

  it('returns the payment if unchanged, after a new request each time', async () => {
    const { book, entry, countRequests } = await rememberAddress()
    const before = countRequests()
    for (let n = 0; n < 3; n++) {
      expect(await book.check(entry, { amount: '0.1' })).toMatchObject({
        status: 'unchanged',
        payment: { address: old, uri: `bitcoin:${old}?amount=0.1` },
      })
    }
    expect(countRequests() - before).toBe(3)
  })

  it.each([
    ['changed', proofOf(other), { payment: { address: other } }],
    ['removed', proofOf(undefined), { isRegistered: true }],
    ['removed', new UnregisteredError('🔥🐍'), { isRegistered: false }],
    ['new_owner', proofOf(other, ben), { payment: { address: other }, owner: ben }],
    ['new_owner', proofOf(old, ben), { payment: { address: old }, owner: ben }],
    ['new_owner', proofOf(undefined, ben), { owner: ben }],
    ['unchecked', new NetworkError('lost', {}), { error: { code: 'network' } }],
    ['unchecked', new RefusedError('no', { status: 503, reason: '' }), { error: { status: 503 } }],
    ['unchecked', new ProofError('signature', 'no'), { error: { code: 'unproven' } }],
    [
      'unchecked',
      proofOf('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb'),
      { error: { code: 'unexpected_answer' } },
    ],
  ] as const)('reports the status %s', async (status, answer, expectation) => {
    const { book, entry, becomes } = await rememberAddress()
    becomes(answer)
    const check = await book.check(entry)
    expect(check).toMatchObject({ status, entry, ...expectation })
    // The old address stands only in the entry itself.
    const { entry: _, ...rest } = check
    if (answer instanceof Error || check.status !== 'new_owner' || check.owner !== ben) {
      expect(JSON.stringify(rest)).not.toContain(old)
    }
    expect(await book.find(old)).toEqual([entry])
  })

  it('changes only when a person accepts', async () => {
    const { book, entry, becomes } = await rememberAddress()
    becomes(proofOf(other, ben))
    const acceptedEntry = await book.accept(await book.check(entry))
    expect(acceptedEntry).toMatchObject({ address: other, owner: ben, nickname: 'Anna' })
    expect([await book.find(old), await book.find(other)]).toEqual([[], [acceptedEntry]])
    expect((await book.check(acceptedEntry)).status).toBe('unchanged')
  })

  it('an entry cannot be accepted without an address', async () => {
    const { book, entry, becomes } = await rememberAddress()
    for (const answer of [
      proofOf(undefined),
      new NetworkError('lost', {}),
      proofOf(undefined, ben),
    ]) {
      becomes(answer)
      const check = await book.check(entry)
      expect(await thrownBy(book.accept(check))).toMatchObject({ code: 'invalid_request' })
    }
  })

  it('an entry is not created from an address that changed meanwhile', async () => {
    const { client } = directory(proofOf(other))
    const book = createAddressBook({ client })
    const payment = paymentFrom('🔥🐍', proofOf(old).records, { ticker: 'BTC' })
    expect(await thrownBy(book.remember(payment))).toMatchObject({ code: 'unexpected_answer' })
    expect(await book.entries()).toEqual([])
  })

  it.each([
    ['address', proofOf(other)],
    ['owner', proofOf(old, ben)],
  ])('an entry with another %s is not overwritten', async (_what, answer) => {
    const { book, entry, becomes } = await rememberAddress()
    becomes(answer)
    const payment = paymentFrom('🔥🐍', answer.records, { ticker: 'BTC' })
    const error = await thrownBy(book.remember(payment, { nickname: 'Mallory' }))
    expect(error).toBeInstanceOf(AlreadyRememberedError)
    expect(error).toMatchObject({ code: 'already_remembered', entry })
    expect(await book.entries()).toEqual([entry])
    const acceptedEntry = await book.accept(await book.check(entry))
    expect(await book.remember(payment)).toMatchObject({
      nickname: 'Anna',
      address: acceptedEntry.address,
      owner: acceptedEntry.owner,
    })
  })

  it('keeps its nickname unless a new one is passed', async () => {
    const { book } = await rememberAddress()
    const payment = paymentFrom('🔥🐍', proofOf(old).records, { ticker: 'BTC' })
    expect(await book.remember(payment)).toMatchObject({ nickname: 'Anna' })
    expect(await book.remember(payment, { nickname: 'Ann' })).toMatchObject({ nickname: 'Ann' })
  })

  it('an entry is not compared with a response older than itself', async () => {
    const service = directory({ ...proofOf(old), version: 5 })
    const book = createAddressBook({ client: service.client })
    const payment = paymentFrom('🔥🐍', proofOf(old).records, { ticker: 'BTC' })
    const entry = await book.remember(payment)
    for (const proof of [proofOf(old), proofOf(other), proofOf(undefined), proofOf(old, ben)]) {
      service.becomes({ ...proof, version: 4 })
      expect(await book.check(entry)).toMatchObject({
        status: 'unchecked',
        error: { code: 'unexpected_answer' },
      })
    }
    service.becomes({ ...proofOf(other), version: 6 })
    const acceptedEntry = await book.accept(await book.check(entry))
    expect(acceptedEntry.version).toBe(6)
    service.becomes({ ...proofOf(other), version: 5 })
    expect((await book.check(acceptedEntry)).status).toBe('unchecked')
  })

  it('an entry without a version, from an older release, is still checked', async () => {
    const { book, entry, storage } = await rememberAddress()
    const { version: _, ...before } = entry
    await storage.set('🔥🐍 BTC', JSON.stringify(before))
    expect(await book.entries()).toEqual([before])
    expect((await book.check(before)).status).toBe('unchanged')
  })

  it('an entry does not depend on the order of proven records', async () => {
    const { book, entry, becomes } = await rememberAddress()
    const [first, second] = [proofOf(other), proofOf(old)]
    const records = [...first.records, ...second.records]
    becomes({ ...first, records })
    expect((await book.check(entry)).status).toBe('unchanged')
    becomes({ ...first, records, proven_by: anna })
    expect(await book.check(entry)).toMatchObject({
      status: 'unchecked',
      error: { code: 'unproven', reason: 'order' },
    })
    const payment = paymentFrom('🔥🐍', second.records, { ticker: 'BTC' })
    expect(await thrownBy(book.remember(payment))).toMatchObject({ reason: 'order' })
  })

  it.each([
    ['ETH', '0x1004', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['BTC', '0x1003', old],
  ])(
    'an entry of %s is found by its address in another letter case',
    async (ticker, tag, address) => {
      const proof = {
        ...proofOf(old),
        records: [{ tag: tag as Tag, data: address, hash: '', proof: [] }],
      }
      const book = createAddressBook({ client: directory(proof).client })
      const entry = await book.remember(paymentFrom('🔥🐍', proof.records, { ticker }))
      const lower = address.toLowerCase()
      const upper = address.toUpperCase().replace(/^0X/, '0x')
      for (const spelling of [address, lower, upper]) {
        expect(await book.find(spelling)).toEqual([entry])
      }
      expect(await book.find(`${lower}0`)).toEqual([])
    },
  )

  it('an entry of a case-sensitive chain is found by the exact address only', async () => {
    const proof = proofOf(other)
    const book = createAddressBook({ client: directory(proof).client })
    const entry = await book.remember(paymentFrom('🔥🐍', proof.records, { ticker: 'BTC' }))
    expect(await book.find(other)).toEqual([entry])
    expect(await book.find(other.toLowerCase())).toEqual([])
    for (const strange of [undefined, null, 7, '']) {
      expect(await book.find(strange as string)).toEqual([])
    }
  })

  it('an entry can be removed', async () => {
    const { book, entry } = await rememberAddress()
    await book.forget(entry)
    expect(await book.entries()).toEqual([])
  })

  it('rejects an invalid amount', async () => {
    const { book, entry, countRequests } = await rememberAddress()
    const before = countRequests()
    for (const amount of ['-1', 0.1 as unknown as string]) {
      expect(await thrownBy(book.check(entry, { amount }))).toMatchObject({
        code: 'invalid_request',
      })
    }
    expect(countRequests()).toBe(before)
  })
})

describe('storage', () => {
  it.each(['', 'null', '{}', '{"id":"x"}', '[1]', '{"id":"🔥","address":7}'])(
    'storage with %j contains no entry',
    async (text) => {
      const { book, storage, entry } = await rememberAddress()
      await storage.set('other', text)
      expect(await book.entries()).toEqual([entry])
    },
  )

  it('in browser storage is shared between tabs and separate from other data', async () => {
    const contents = new Map([['theirs', '1']])
    const local = {
      getItem: (key: string) => contents.get(key) ?? null,
      setItem: (key: string, text: string) => void contents.set(key, text),
      removeItem: (key: string) => void contents.delete(key),
      key: (place: number) => [...contents.keys()][place] ?? null,
      get length() {
        return contents.size
      },
    } as Storage
    const storage = webStorage(local)
    await storage.set('name', 'text')
    expect([await storage.names(), await storage.get('name')]).toEqual([['name'], 'text'])
    await storage.delete('name')
    expect([...contents]).toEqual([['theirs', '1']])
  })
})
