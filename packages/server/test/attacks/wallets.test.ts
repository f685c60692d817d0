import { createHash, randomBytes } from 'node:crypto'
import { getAddress, Signature, Wallet } from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type MailedService, newcomer, type Person } from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
beforeAll(async () => {
  service = await sharedMailedService()
})

const newWallet = () => new Wallet(`0x${randomBytes(32).toString('hex')}`)
const person = () => newcomer(service, { isVerified: true })
type Caller = Pick<Person, 'post'>
const message = ({ id }: { id: string }) =>
  `Connect this wallet to my Emoji Id Directory account ${id}.`
const connect = (by: Person, signature: string, more: object = {}) =>
  by.post('/api/wallets', { signature, source: 'Dashboard', ...more })
type Challenge = { message: string; eth_address: string; expires_at: string }
const askFor = (by: Caller, eth_address: string) =>
  by.post('/api/wallets/challenge', { eth_address })
const challengeFor = async (by: Caller, eth_address: string) => {
  const answer = await askFor(by, eth_address)
  expect(answer.status, answer.body).toBe(200)
  return answer.json<Challenge>()
}
const prove = async (by: Person, wallet: Wallet, message: string) =>
  connect(by, await wallet.signMessage(message), { message })
const refusalOf = (answer: Awaited<ReturnType<typeof connect>>) => [
  answer.status,
  answer.json()['code'],
]
const closed = [422, 'closed_challenge']
const minute = 60_000
const addressesOf = async (person: Person) =>
  (await person.get('/api/wallets')).json<
    { eth_address: string; user_id: string; proven: boolean }[]
  >()

/**
 * The other valid signature for the same message and key, which can be computed without the key.
 */
const withHighS = (signature: string) => {
  const { r, s, v } = Signature.from(signature)
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const high = (order - BigInt(s)).toString(16).padStart(64, '0')
  return `${r}${high}${v === 27 ? '1c' : '1b'}`
}

describe('a wallet', () => {
  it('a wallet is connected by its signature, once, and shown in its EIP-55 form', async () => {
    const [anna, bert, wallet] = [await person(), await person(), newWallet()]
    const signature = await wallet.signMessage(message(anna))
    const listedWallet = { eth_address: wallet.address }
    expect((await connect(anna, signature)).json()).toEqual(listedWallet)
    expect((await connect(anna, signature, { source: 'Mint' })).json()).toEqual(listedWallet)
    expect(await addressesOf(anna)).toEqual([{ ...listedWallet, user_id: anna.id, proven: false }])
    expect(await addressesOf(bert)).toEqual([])
  })

  it('recovered from an arbitrary signature is listed as not proven', async () => {
    const eve = await person()
    const other = await newWallet().signMessage('Something else')
    expect((await connect(eve, other)).status).toBe(200)
    expect(await addressesOf(eve)).toMatchObject([{ proven: false }])
  })

  it('a wallet is not connected by a signature for another account or another text', async () => {
    const [anna, eve, wallet] = [await person(), await person(), newWallet()]
    for (const text of [message(anna), 'Hello', `${message(eve)} `, '']) {
      await connect(eve, await wallet.signMessage(text))
    }
    const foundAddresses = (await addressesOf(eve)).map(({ eth_address }) => eth_address)
    expect(foundAddresses).not.toContain(wallet.address)
  })

  it('a wallet must equal the named one, in any spelling', async () => {
    const [anna, wallet] = [await person(), newWallet()]
    const signature = await wallet.signMessage(message(anna))
    const mistyped = await wallet.signMessage(`${message(anna)} `)
    const wrong: [string, string][] = [
      [mistyped, wallet.address],
      [signature, newWallet().address],
      [signature, wallet.address.slice(2)],
      [signature, ''],
    ]
    for (const [namedAddress, eth_address] of wrong) {
      const refusal = await connect(anna, namedAddress, { eth_address })
      expect([refusal.status, refusal.json()['code']]).toEqual([422, 'other_address'])
      expect(refusal.json()['fields']).toHaveProperty('eth_address')
    }
    expect(await addressesOf(anna)).toEqual([])
    for (const eth_address of [wallet.address, wallet.address.toLowerCase(), null]) {
      const { status } = await connect(anna, signature, { eth_address })
      expect([eth_address, status]).toEqual([eth_address, 200])
    }
    expect(await addressesOf(anna)).toHaveLength(1)
  })

  it('a wallet is not connected by an invalid signature', async () => {
    const anna = await person()
    const good = await newWallet().signMessage(message(anna))
    const wrong = [
      '',
      '0x',
      'x',
      good.slice(2),
      good.slice(0, -2),
      `${good}00`,
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(65)}`,
      `${good.slice(0, -2)}ff`,
      `${good.slice(0, -2)}1e`,
      withHighS(good),
    ]
    for (const signature of wrong) {
      const answer = await connect(anna, signature)
      expect([signature, answer.status]).toEqual([signature, 422])
    }
    expect((await connect(anna, good, { source: 'Elsewhere' })).status).toBe(400)
    expect((await connect(anna, 'x'.repeat(201))).status).toBe(400)
    expect(await addressesOf(anna)).toEqual([])
  })

  it('a wallet is limited to twenty, also concurrently; a connected one can be connected again', async () => {
    const anna = await person()
    await connect(anna, await newWallet().signMessage(message(anna)))
    // The state after 16 more.
    const { eth_address: _address, ...first } = await service.db
      .selectFrom('wallets')
      .selectAll()
      .where('user_id', '=', anna.id)
      .executeTakeFirstOrThrow()
    const others = Array.from({ length: 16 }, () => ({
      ...first,
      eth_address: getAddress(`0x${randomBytes(20).toString('hex')}`),
    }))
    await service.db.insertInto('wallets').values(others).execute()
    const signatures = await Promise.all(
      Array.from({ length: 6 }, () => newWallet().signMessage(message(anna))),
    )
    const answers = await Promise.all(signatures.map((signature) => connect(anna, signature)))
    const refusals = answers.filter(({ status }) => status !== 200)
    expect(refusals.map((answer) => [answer.status, answer.json()['code']])).toEqual(
      Array(3).fill([422, 'too_many_wallets']),
    )
    expect(await addressesOf(anna)).toHaveLength(20)
    const there = signatures[answers.findIndex(({ status }) => status === 200)] ?? ''
    expect((await connect(anna, there)).status).toBe(200)
    expect(await addressesOf(anna)).toHaveLength(20)
  })
})

describe('the proof of a wallet (T140)', () => {
  it('the proof of a wallet (T140) is a message of EIP-4361, with its domain, address, account, chain, nonce and expiry', async () => {
    const [anna, wallet] = [await person(), newWallet()]
    const challenge = await challengeFor(anna, wallet.address.toLowerCase())
    const { webUrl } = service
    const nonce = /^Nonce: ([0-9a-f]{32})$/m.exec(challenge.message)?.[1]
    const issued = service.clock.now()
    expect(challenge.message).toBe(
      [
        `${new URL(webUrl).host} wants you to sign in with your Ethereum account:`,
        wallet.address,
        '',
        `Connect this wallet to my account ${anna.id}.`,
        '',
        `URI: ${webUrl}`,
        'Version: 1',
        'Chain ID: 1',
        `Nonce: ${nonce}`,
        /^Issued At: .*$/m.exec(challenge.message)?.[0],
        `Expiration Time: ${challenge.expires_at}`,
      ].join('\n'),
    )
    const lasts = Date.parse(challenge.expires_at) - issued.getTime()
    expect(lasts).toBeLessThanOrEqual(10 * minute)
    expect(challenge.eth_address).toBe(wallet.address)
    const { message: another } = await challengeFor(anna, wallet.address)
    expect(another).not.toContain(nonce)
  })

  it('the proof of a wallet (T140) works once: not again after the wallet was disconnected', async () => {
    const [anna, wallet] = [await person(), newWallet()]
    const { message: text } = await challengeFor(anna, wallet.address)
    expect(refusalOf(await prove(anna, wallet, `${text} `))).toEqual(closed)
    expect((await prove(anna, wallet, text)).json()).toEqual({ eth_address: wallet.address })
    expect(await addressesOf(anna)).toMatchObject([{ proven: true }])
    expect((await anna.delete(`/api/wallets/${wallet.address}`)).status).toBe(200)
    expect(refusalOf(await prove(anna, wallet, text))).toEqual(closed)
    expect(await addressesOf(anna)).toEqual([])
    const { message: next } = await challengeFor(anna, wallet.address)
    const answers = await Promise.all(Array.from({ length: 6 }, () => prove(anna, wallet, next)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(422)])
  })

  it('proves a wallet that the old text connected, which stays proven when the old text returns', async () => {
    const [anna, wallet] = [await person(), newWallet()]
    const old = await wallet.signMessage(message(anna))
    const proven = async () => (await addressesOf(anna)).map((one) => one.proven)
    expect((await connect(anna, old, { eth_address: wallet.address })).status).toBe(200)
    expect(await proven()).toEqual([false])
    const { message: text } = await challengeFor(anna, wallet.address)
    expect((await prove(anna, wallet, text)).status).toBe(200)
    expect(await proven()).toEqual([true])
    expect((await connect(anna, old)).status).toBe(200)
    expect(await proven()).toEqual([true])
    const loaded = (await anna.get('/api/account/load')).json<{ wallets: object[] }>()
    expect(loaded.wallets).toMatchObject([{ eth_address: wallet.address, proven: true }])
  })

  it('the proof of a wallet (T140) ends with its time and with the next challenge of the account', async () => {
    const [anna, one, other] = [await person(), newWallet(), newWallet()]
    const { message: first } = await challengeFor(anna, one.address)
    const { message: second } = await challengeFor(anna, other.address)
    expect(refusalOf(await prove(anna, one, first))).toEqual(closed)
    service.clock.advance(10 * minute + 1)
    expect(refusalOf(await prove(anna, other, second))).toEqual(closed)
    expect(await addressesOf(anna)).toEqual([])
  })

  it('the proof of a wallet (T140) is of no use to another account, for another address, or with another text', async () => {
    const [anna, eve, wallet] = [await person(), await person(), newWallet()]
    const { message: text } = await challengeFor(anna, wallet.address)
    expect(refusalOf(await prove(eve, wallet, text))).toEqual(closed)
    expect(refusalOf(await prove(anna, newWallet(), text))).toEqual(closed)
    expect(refusalOf(await prove(anna, wallet, message(anna)))).toEqual(closed)
    expect(
      refusalOf(await prove(anna, wallet, text.replace('Chain ID: 1', 'Chain ID: 5'))),
    ).toEqual(closed)
    const signature = await wallet.signMessage(text)
    const named = await connect(anna, signature, { message: text, eth_address: eve.id })
    expect(refusalOf(named)).toEqual([422, 'other_address'])
    for (const by of [anna, eve]) expect(await addressesOf(by)).toEqual([])
    // Without its message, a signature is taken for one over the old text, which proves nothing.
    expect((await connect(anna, signature)).status).toBe(200)
    expect(await addressesOf(anna)).toMatchObject([{ proven: false }])
  })

  it('the proof of a wallet (T140) is of no use at a copy of the database with another domain', async () => {
    const [anna, wallet] = [await person(), newWallet()]
    const { message: text } = await challengeFor(anna, wallet.address)
    const { host } = new URL(service.webUrl)
    const copied = text.replaceAll(host, 'copy.example')
    await service.db
      .updateTable('wallet_challenges')
      .set({ message_sha256: createHash('sha256').update(copied).digest() })
      .where('user_id', '=', anna.id)
      .execute()
    expect(refusalOf(await prove(anna, wallet, copied))).toEqual(closed)
  })

  it('the proof of a wallet (T140) is begun and finished by a person, not by an API key', async () => {
    const [anna, wallet] = [await person(), newWallet()]
    const created = await anna.post('/api/api_keys', { name: 'a key', scopes: ['user:writeSelf'] })
    const headers = { 'x-api-key': created.json<{ api_key: string }>().api_key }
    const byKey: Caller = { post: (path, body) => service.post(path, body, { headers }) }
    expect((await askFor(byKey, wallet.address)).status).toBe(403)
    const { message: text } = await challengeFor(anna, wallet.address)
    const proof = { signature: await wallet.signMessage(text), message: text, source: 'Dashboard' }
    expect((await byKey.post('/api/wallets', proof)).status).toBe(403)
    expect(await addressesOf(anna)).toEqual([])
    const { message: _, ...plain } = {
      ...proof,
      signature: await wallet.signMessage(message(anna)),
    }
    expect((await byKey.post('/api/wallets', plain)).status).toBe(200)
    expect(await addressesOf(anna)).toMatchObject([{ proven: false }])
  })

  it('the proof of a wallet (T140) is refused for an address that is none', async () => {
    const [anna, { address }] = [await person(), newWallet()]
    const swapped = [...address.slice(2)]
      .map((digit) => (digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase()))
      .join('')
    for (const wrong of ['', '0x', address.slice(0, -1), `0x${swapped}`, `${address}\n`]) {
      const refused = await askFor(anna, wrong)
      expect([wrong, ...refusalOf(refused)]).toEqual([wrong, 422, 'invalid_wallet_address'])
    }
  })

  it('the proof of a wallet (T140) ends when all access is revoked', async () => {
    const [anna, wallet] = [await person(), newWallet()]
    await challengeFor(anna, wallet.address)
    const rows = () =>
      service.db
        .selectFrom('wallet_challenges')
        .select('user_id')
        .where('user_id', '=', anna.id)
        .execute()
    expect(await rows()).toHaveLength(1)
    expect((await anna.delete(`/api/users/${anna.id}`)).status).toBe(200)
    expect(await rows()).toEqual([])
  })
})

describe('a disconnected wallet', () => {
  const disconnect = (by: Person, address: string) => by.delete(`/api/wallets/${address}`)
  const connected = async (person: Person) => {
    const wallet = newWallet()
    await connect(person, await wallet.signMessage(message(person)))
    return wallet.address
  }

  it('a disconnected wallet is removed in any spelling, with a notice to the owner and an audit entry', async () => {
    const anna = await person()
    const [address, other] = [await connected(anna), await connected(anna)]
    const removeResponse = await disconnect(anna, address.toLowerCase())
    expect([removeResponse.status, removeResponse.json()]).toEqual([200, { eth_address: address }])
    expect((await addressesOf(anna)).map(({ eth_address }) => eth_address)).toEqual([other])
    expect((await disconnect(anna, address)).json()['code']).toBe('unknown_wallet')

    await service.mailTo(anna.email, 3)
    const subjects = service.mailsTo(anna.email).map(({ subject }) => subject)
    const connecting = subjects.filter((one) => one === 'A wallet was connected')
    expect([connecting.length, subjects]).toEqual([
      2,
      expect.arrayContaining(['A wallet was disconnected']),
    ])
    const auditEntries = service.db
      .selectFrom('audit_entries')
      .select('details')
      .where('event', '=', 'wallet.removed')
      .where('actor_id', '=', anna.id)
    expect(await auditEntries.execute()).toMatchObject([{ details: { eth_address: address } }])
  })

  it('requires its owner, with a fresh code if they have a second factor', async () => {
    const [anna, eve] = [await person(), await person()]
    const address = await connected(anna)
    expect((await disconnect(eve, address)).status).toBe(404)
    await enableApp(service, anna)
    service.clock.advance(16 * 60_000)
    const { access_token } = (
      await service.post('/api/auth/token/refresh', { refresh_token: anna.tokens.refresh_token })
    ).json<{ access_token: string }>()
    const headers = { authorization: `Bearer ${access_token}` }
    const late = await service.call('DELETE', `/api/wallets/${address}`, { headers })
    expect(late.status).toBe(424)
    const leaveAnswer = await service.get('/api/wallets', { headers })
    expect(leaveAnswer.json()).toHaveLength(1)
  })
})
