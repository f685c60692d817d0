import { randomBytes } from 'node:crypto'
import {
  computeAddress,
  getAddress,
  getBytes,
  solidityPackedKeccak256,
  verifyMessage,
} from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, insertOwnedId, newId } from '../../../../test/support/ids.ts'
import { mintSignerKey } from '../../../../test/support/own-keys.ts'
import {
  type MailedService,
  newcomer,
  type Person,
  registerAs,
} from '../../../../test/support/people.ts'
import { sharedMailedService } from '../../../../test/support/shared-service.ts'
import { stopTheClock } from '../../../../test/support/stopped-clock.ts'
import { transferSteps } from '../../../../test/support/transfers.ts'
import { daySeconds } from '../../../platform/time.ts'

const signer = computeAddress(`0x${mintSignerKey.toString('hex')}`)

let service: MailedService
let admin: Person
let anna: Person
let hands: ReturnType<typeof transferSteps>
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
  anna = await newUser()
  hands = transferSteps(service, admin)
})

type SignatureAnswer = { account: string; expiry: number; signature: string; token: string }
type Caller = Pick<Person, 'post'>
const newAccount = () => getAddress(`0x${randomBytes(20).toString('hex')}`)
const account = newAccount()
const sign = (by: Caller, id: string, body: object = {}) =>
  by.post(at(id, '/generate_signature'), { account, ...body })
const outcomeOf = (answer: { status: number; json(): Record<string, unknown> }) => [
  answer.status,
  answer.json()['code'],
]
const fieldsOf = (answer: { json(): { fields?: object } }) =>
  Object.keys(answer.json().fields ?? {})
const seconds = () => Math.floor(service.clock.now().getTime() / 1_000)
const newUser = () => newcomer(service, { isVerified: true })
const newOwnId = () => insertOwnedId(service, anna.id)
const setMinted = (id: string, isMinted: boolean) =>
  admin.put(`/api/admin/emoji_ids/${encodeURIComponent(id)}/minted`, { minted: isMinted })
/** Expires a signature. */
const end = (emoji_id: string) =>
  service.db
    .updateTable('emoji_ids')
    .set({ signed_until: service.clock.now() })
    .where('emoji_id', '=', emoji_id)
    .execute()
const recover = ({ account, expiry, signature, token }: SignatureAnswer) => {
  const types = ['string', 'string', 'address', 'uint256']
  const hash = solidityPackedKeccak256(types, ['svcNFT', token, account, expiry])
  return verifyMessage(getBytes(hash), signature)
}

describe('a mint signature (T97)', () => {
  it('recovers with ethers to the signer, for this account, token and time only', async () => {
    const id = await grant(admin, { user_id: anna.id }, `❤️${newId().slice(0, 6)}`)
    const before = seconds()
    const answer = await sign(anna, id)
    expect(answer.status).toBe(200)
    const signedMint = answer.json<SignatureAnswer>()
    expect(signedMint).toMatchObject({ account, token: id.replace('\uFE0F', '') })
    expect(signedMint.signature).toMatch(/^0x[0-9a-f]{128}1[bc]$/)
    expect(signedMint.expiry).toBeGreaterThanOrEqual(before + 900)
    expect(signedMint.expiry).toBeLessThanOrEqual(seconds() + 900)
    expect(recover(signedMint)).toBe(signer)
    for (const other of [
      { account: newAccount() },
      { expiry: signedMint.expiry + 1 },
      { token: '🦀' },
    ]) {
      expect(recover({ ...signedMint, ...other })).not.toBe(signer)
    }
  })

  it('a mint signature (T97) is not issued for a malformed account', async () => {
    const id = await newOwnId()
    for (const wrong of [
      account.toLowerCase(),
      `0x${account.slice(2).toUpperCase()}`,
      account.replace(/[a-f]/, (letter) => letter.toUpperCase()),
      account.slice(2),
      account.slice(0, -1),
      `${account}0`,
      `0x${'0'.repeat(40)}`,
      'anna.eth',
      '',
      7,
      null,
    ]) {
      expect((await sign(anna, id, { account: wrong })).status, String(wrong)).toBe(400)
    }
  })

  it('lasts as long as requested, at most a day', async () => {
    const id = await newOwnId()
    for (const expiry of [
      seconds() + 59,
      seconds() - 1,
      0,
      -1,
      seconds() + daySeconds + 60,
      2 ** 53,
      1.5,
    ]) {
      expect((await sign(anna, id, { expiry })).status).toBe(400)
    }
    const expiry = seconds() + daySeconds - 5
    expect((await sign(anna, id, { expiry })).json<SignatureAnswer>().expiry).toBe(expiry)
    expect((await sign(anna, id, { expiry: null })).status).toBe(200)
  })

  it('a mint signature (T97) is issued to the owner of the id only', async () => {
    const [id, stranger] = [await newOwnId(), await newUser()]
    for (const other of [stranger, admin]) {
      expect(outcomeOf(await sign(other, id))).toEqual([403, 'not_yours'])
    }
    expect((await sign(anna, newId())).status).toBe(404)
    const response = await anna.post('/api/api_keys', { name: 'k', scopes: ['emoji::transfer'] })
    const headers = { 'x-api-key': response.json<{ api_key: string }>().api_key }
    const path = at(id, '/generate_signature')
    expect((await service.post(path, { account }, { headers })).status).toBe(403)
  })

  it('a mint signature (T97) is not issued during a transfer of the id, nor for three days after it', async () => {
    const begunTransfer = await hands.inserted('awaiting_sender')
    const refusal = await sign(begunTransfer.anna, begunTransfer.id)
    expect([...outcomeOf(refusal), fieldsOf(refusal)]).toEqual([422, 'open_transfer', ['emoji_id']])
    await begunTransfer.anna.delete(hands.path(begunTransfer.transfer))
    expect((await sign(begunTransfer.anna, begunTransfer.id)).status).toBe(200)

    const offeredTransfer = await hands.inserted('awaiting_receiver')
    expect(outcomeOf(await sign(offeredTransfer.anna, offeredTransfer.id))).toEqual([
      422,
      'open_transfer',
    ])
    await hands.accept(offeredTransfer.bert, offeredTransfer.transfer, offeredTransfer.code)
    const blockAnswer = await sign(offeredTransfer.bert, offeredTransfer.id)
    expect([...outcomeOf(blockAnswer), fieldsOf(blockAnswer)]).toEqual([
      422,
      'blocked',
      ['emoji_id'],
    ])
    const onward = { eid: offeredTransfer.id, email: offeredTransfer.anna.email }
    expect(fieldsOf(await offeredTransfer.bert.post('/api/transfers', onward))).toEqual(['eid'])
    await service.db
      .updateTable('emoji_ids')
      .set({ blocked_until: service.clock.now() })
      .where('emoji_id', '=', offeredTransfer.id)
      .execute()
    expect((await sign(offeredTransfer.bert, offeredTransfer.id)).status).toBe(200)
  })

  it('blocks transfer and release until it expires', async () => {
    stopTheClock()
    const [id, bert] = [await newOwnId(), await newUser()]
    await sign(anna, id)
    const offer = () => anna.post('/api/transfers', { eid: id, email: bert.email })
    expect(outcomeOf(await offer())).toEqual([422, 'signature_live'])
    const forced = { eid: id, email: bert.email, force_transfer: true, reason: 'Support' }
    expect(outcomeOf(await admin.post('/api/transfers', forced))).toEqual([422, 'signature_live'])
    expect(outcomeOf(await anna.delete(at(id)))).toEqual([422, 'signature_live'])
    const takenAnswer = await admin.delete(`/api/admin/emoji_ids/${encodeURIComponent(id)}`)
    expect(outcomeOf(takenAnswer)).toEqual([422, 'signature_live'])
    expect(await hands.ownerOf(id)).toEqual([anna.id])

    // A shorter signature does not end the longer one.
    const expiry = seconds() + 65
    await sign(anna, id, { expiry })
    service.clock.advance(66_000)
    expect(outcomeOf(await offer())).toEqual([422, 'signature_live'])
    await end(id)
    expect((await offer()).status).toBe(200)
  })

  it('a mint signature (T97) or a transfer succeeds, never both, of six concurrent requests', async () => {
    const [carl, bert] = [await newUser(), await newUser()]
    const id = await insertOwnedId(service, carl.id)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        n % 2 ? sign(carl, id) : carl.post('/api/transfers', { eid: id, email: bert.email }),
      ),
    )
    const isSigned = answers.some(({ status }, n) => n % 2 === 1 && status === 200)
    const isOffered = answers.some(({ status }, n) => n % 2 === 0 && status === 200)
    expect([isSigned, isOffered].filter(Boolean)).toHaveLength(1)
  })
})

describe('concurrently with a signature', () => {
  it('a transfer is not accepted, and no signature is issued for a transferred id', async () => {
    const { anna: sender, bert, id, transfer, code } = await hands.inserted('awaiting_receiver')
    const [acceptanceAnswer, ...signAnswers] = await Promise.all([
      hands.accept(bert, transfer, code),
      ...Array.from({ length: 3 }, () => sign(sender, id)),
    ])
    expect(acceptanceAnswer.status).toBe(200)
    expect(signAnswers.map(({ status }) => status).filter((one) => one === 200)).toEqual([])
    expect(await hands.ownerOf(id)).toEqual([bert.id])
  })

  it('an id is either released or signed for, never both', async () => {
    const id = await newOwnId()
    const [goneAnswer, takenAnswer, ...signAnswers] = await Promise.all([
      anna.delete(at(id)),
      admin.delete(`/api/admin/emoji_ids/${encodeURIComponent(id)}`),
      ...Array.from({ length: 3 }, () => sign(anna, id)),
    ])
    const isGone = [goneAnswer, takenAnswer].some(({ status }) => status === 200)
    const isSigned = signAnswers.some(({ status }) => status === 200)
    expect([isGone, isSigned].filter(Boolean)).toHaveLength(1)
  })
})

describe("the operator's list of signatures", () => {
  type TokenList = {
    data: {
      canonical_format: string
      minted: boolean
      signed_until: string
      signatures: { account: string; until: string; signed_by: string; signed_by_name: string }[]
    }[]
  }
  const listTokens = async (state: string, id: string) => {
    const answer = await admin.get(`/api/admin/tokens?state=${state}&limit=200`)
    expect(answer.status).toBe(200)
    return answer.json<TokenList>().data.find(({ canonical_format }) => canonical_format === id)
  }
  const canonical = (id: string) => id.replaceAll('\uFE0F', '')

  it('shows expiry, owner and accounts, then that it expired or is minted', async () => {
    const id = await newOwnId()
    const other = newAccount()
    const expiry = seconds() + 600
    await sign(anna, id)
    await sign(anna, id, { account: other, expiry })
    const rows = await listTokens('signed', canonical(id))
    const by = { signed_by: anna.id, signed_by_name: anna.email }
    expect(rows).toMatchObject({
      minted: false,
      owner_id: anna.id,
      owner: anna.email,
      signatures: [
        { account, ...by, until: rows?.signed_until },
        { account: other, ...by, until: new Date(expiry * 1_000).toISOString() },
      ],
    })
    const own = (await anna.get('/api/account/emoji_ids?limit=200')).json<TokenList>().data
    const mine = own.find(({ canonical_format }) => canonical_format === canonical(id))
    expect(mine?.signed_until).toBe(rows?.signed_until)

    await end(id)
    expect(await listTokens('signed', canonical(id))).toBeUndefined()
    expect(await listTokens('ended', canonical(id))).toMatchObject({ signatures: [{}, {}] })
    await setMinted(id, true)
    expect(await listTokens('ended', canonical(id))).toBeUndefined()
    expect(await listTokens('minted', canonical(id))).toMatchObject({ minted: true })
    expect((await anna.get('/api/admin/tokens')).status).toBe(403)
    expect((await admin.get('/api/admin/tokens?state=lost')).status).toBe(400)
  })

  it('at most ten accounts have a signature for an id: an eleventh has to wait', async () => {
    const id = await newOwnId()
    for (let n = 0; n < 10; n++)
      expect((await sign(anna, id, { account: newAccount() })).status).toBe(200)
    const last = await sign(anna, id)
    expect([...outcomeOf(last), fieldsOf(last)]).toEqual([422, 'too_many_accounts', ['account']])
    expect((await listTokens('signed', canonical(id)))?.signatures).toHaveLength(10)
  })
})

describe('a minted id', () => {
  it('a minted id has a token number, is neither signed for again nor released, and can be transferred', async () => {
    const [id, bert] = [await newOwnId(), await newUser()]
    const item = (await setMinted(id, true)).json<{ minted: boolean; token_id: number }>()
    expect(item).toMatchObject({ minted: true, token_id: expect.any(Number) })
    const refusal = await sign(anna, id)
    expect([...outcomeOf(refusal), fieldsOf(refusal)]).toEqual([422, 'minted', ['emoji_id']])
    expect(refusal.body).toContain('This id is already minted.')
    expect(outcomeOf(await anna.delete(at(id)))).toEqual([422, 'minted'])
    const takenAnswer = await admin.delete(`/api/admin/emoji_ids/${encodeURIComponent(id)}`)
    expect(outcomeOf(takenAnswer)).toEqual([422, 'minted'])
    expect((await anna.post('/api/transfers', { eid: id, email: bert.email })).status).toBe(200)

    const secondToken = (await setMinted(id, true)).json<{ token_id: number }>()
    expect(secondToken.token_id).toBe(item.token_id)
    const undone = (await setMinted(id, false)).json()
    expect(undone).toMatchObject({ minted: false, token_id: null })
    expect((await anna.delete(at(id))).status).toBe(200)
  })

  it('a minted id can’t be transferred while a signature is valid: another account may still use it', async () => {
    const [id, bert] = [await newOwnId(), await newUser()]
    await sign(anna, id)
    for (const isMinted of [true, false]) {
      expect((await setMinted(id, isMinted)).status).toBe(200)
      const offer = await anna.post('/api/transfers', { eid: id, email: bert.email })
      expect(outcomeOf(offer)).toEqual([422, 'signature_live'])
    }
  })

  describe('in a transfer', () => {
    const report = (id: string, holder: string) =>
      admin.put(`/api/admin/emoji_ids/${encodeURIComponent(id)}/minted`, {
        minted: true,
        account: holder,
      })
    const minted = async (holder = newAccount()) => {
      const transfer = await hands.inserted('awaiting_receiver')
      expect((await report(transfer.id, holder)).status).toBe(200)
      return transfer
    }
    const prove = (user_id: string, eth_address: string, proven = true) =>
      service.db
        .insertInto('wallets')
        .values({ user_id, eth_address, source: 'test', proven, created_at: service.clock.now() })
        .execute()
    const incoming = async (by: Pick<Person, 'get'>) =>
      (await by.get('/api/transfers/incoming')).json<object[]>()
    const accept = (
      by: Person,
      { transfer, code }: Awaited<ReturnType<typeof minted>>,
      more = {},
    ) => by.post(`/api/transfers/${transfer.id}/receiver_accept`, { code, ...more })

    it('moves only once the recipient confirms that its token does not come along (T97)', async () => {
      const offer = await minted()
      const { anna: sender, bert, id } = offer
      expect(await incoming(bert)).toMatchObject([{ token_stays: true }])
      const refusal = await accept(bert, offer)
      expect([...outcomeOf(refusal), fieldsOf(refusal)]).toEqual([
        422,
        'token_stays',
        ['without_token'],
      ])
      const falseAnswer = await accept(bert, offer, { without_token: false })
      expect(outcomeOf(falseAnswer)).toEqual([422, 'token_stays'])
      expect(await hands.ownerOf(id)).toEqual([sender.id])
      expect((await accept(bert, offer, { without_token: true })).status).toBe(200)
      expect(await hands.ownerOf(id)).toEqual([bert.id])
      const entry = await service.db
        .selectFrom('audit_entries')
        .select('details')
        .where('event', '=', 'transfer.accepted')
        .where('actor_id', '=', bert.id)
        .executeTakeFirstOrThrow()
      expect(entry.details).toMatchObject({ without_token: true })
    })

    it('moves with its token once the transfer to a proven wallet of the recipient is reported', async () => {
      const offer = await minted()
      const [first, second] = [newAccount(), newAccount()]
      await prove(offer.bert.id, first, false)
      await prove(offer.bert.id, second)
      await prove(offer.anna.id, first)
      expect((await report(offer.id, first)).status).toBe(200)
      // Another account of the sender, which the recipient only connected.
      expect(outcomeOf(await accept(offer.bert, offer))).toEqual([422, 'token_stays'])
      expect((await report(offer.id, second)).status).toBe(200)
      expect((await incoming(offer.bert))[0]).not.toHaveProperty('token_stays')
      expect((await accept(offer.bert, offer)).status).toBe(200)
    })

    it('the transfer of a minted id is confirmed by an operator who forces it, with a reason, and the new owner is notified', async () => {
      const { bert, id } = await minted()
      const force = (body: object) =>
        admin.post('/api/transfers', { eid: id, email: bert.email, force_transfer: true, ...body })
      const message = 'a court order'
      for (const body of [{ message }, { without_token: true, message }, { reason: message }]) {
        expect(outcomeOf(await force(body))).toEqual([422, 'token_stays'])
      }
      expect(outcomeOf(await force({ without_token: true }))).toEqual([422, 'missing_reason'])
      const forced = await force({ without_token: true, reason: 'a court order' })
      expect([forced.status, await hands.ownerOf(id)]).toEqual([200, [bert.id]])
      const isTold = () =>
        service.mailsTo(bert.email).some(({ text }) => text?.includes('token does not come along'))
      await expect.poll(isTold).toBe(true)
    })

    it('an id with a signature whose use was not reported moves only with the confirmation, and the new owner is notified of a later mint', async () => {
      const [carl, bert] = [await newUser(), await newUser()]
      const id = await insertOwnedId(service, carl.id)
      const holder = newAccount()
      const signed = await sign(carl, id, { account: holder, expiry: seconds() + 65 })
      expect(signed.status).toBe(200)
      service.clock.advance(66_000)
      const offered = { eid: id, email: bert.email, force_transfer: true, reason: 'a court order' }
      const force = (more = {}) => admin.post('/api/transfers', { ...offered, ...more })
      expect(outcomeOf(await force())).toEqual([422, 'token_stays'])
      expect(outcomeOf(await carl.delete(at(id)))).toEqual([422, 'signature_live'])
      expect((await force({ without_token: true })).status).toBe(200)
      expect((await report(id, holder)).status).toBe(200)
      const told = (email: string) =>
        service.mailsTo(email).filter(({ subject }) => subject?.includes('was minted'))
      await expect.poll(() => told(bert.email).length).toBe(1)
      expect(told(bert.email)[0]?.text).toContain(holder)
      expect(told(carl.email)).toEqual([])
    })

    it('the transfer of an id needs no confirmation once the watcher confirms that a signature was not used', async () => {
      const offer = await hands.inserted('awaiting_receiver')
      const signed_until = new Date(service.clock.now().getTime() - 1_000)
      await service.db
        .updateTable('emoji_ids')
        .set({ signed_until })
        .where('emoji_id', '=', offer.id)
        .execute()
      expect(await incoming(offer.bert)).toMatchObject([{ token_stays: true }])
      expect(outcomeOf(await accept(offer.bert, offer))).toEqual([422, 'token_stays'])
      const scopes = ['adminEmoji:updateFeatures']
      const response = await admin.post('/api/api_keys', { name: 'watcher', scopes })
      const headers = { 'x-api-key': response.json<{ api_key: string }>().api_key }
      const path = `/api/admin/emoji_ids/${encodeURIComponent(offer.id)}/minted`
      expect((await service.put(path, { minted: false }, { headers })).status).toBe(200)
      expect((await accept(offer.bert, offer)).status).toBe(200)
    })

    it('the transfer of an id needs no confirmation once its token was burnt', async () => {
      const offer = await minted()
      expect((await setMinted(offer.id, false)).status).toBe(200)
      expect((await incoming(offer.bert))[0]).not.toHaveProperty('token_stays')
      expect((await accept(offer.bert, offer)).status).toBe(200)
    })
  })

  it('a minted id is marked as minted by an operator', async () => {
    const path = `/api/admin/emoji_ids/${encodeURIComponent(await newOwnId())}/minted`
    expect((await anna.put(path, { minted: true })).status).toBe(403)
    expect((await admin.put(path, {})).status).toBe(400)
    const scopes = ['adminEmoji:updateFeatures']
    const response = await admin.post('/api/api_keys', { name: 'watcher', scopes })
    const headers = { 'x-api-key': response.json<{ api_key: string }>().api_key }
    expect((await service.put(path, { minted: true }, { headers })).status).toBe(200)
    expect((await service.put(path, { minted: false }, { headers })).status).toBe(403)
    const unknown = `/api/admin/emoji_ids/${encodeURIComponent(newId())}/minted`
    expect((await admin.put(unknown, { minted: true })).status).toBe(404)
  })
})

describe('token metadata', () => {
  const metadata = (token_id: unknown) => service.get(`/api/nft_transfers/metadata/${token_id}`)

  it('token metadata of the demonstration has all members that marketplaces show, and is public', async () => {
    const answer = await metadata(1)
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({
      name: '🎸🎸🎸',
      description: expect.stringContaining('guitar'),
      image: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
      animation_url: '',
      external_link: `http://localhost:3000/${encodeURIComponent('🎸🎸🎸')}`,
      attributes: [
        { trait_type: 'Length', value: 3 },
        { trait_type: 'Rhythm Score', value: expect.any(Number) },
        { trait_type: 'Generation', value: 1 },
        { trait_type: 'Shape', value: 'Repeaters' },
        { trait_type: 'Origin', value: 'Given' },
        { trait_type: 'Visualizer Theme', value: 'None' },
      ],
    })
    const search = await service.get(
      `/api/emoji_id/search?emoji_id=${encodeURIComponent('🎸🎸🎸')}`,
    )
    expect(search.body).toContain('"minted":true')
  })

  it('names the pictures of the owner', async () => {
    const id = await newOwnId()
    const { token_id } = (await setMinted(id, true)).json<{ token_id: number }>()
    const files = {
      image: 'https://pictures.example/a.png',
      video: null,
      webm: 'https://pictures.example/a.webm',
    }
    await anna.post(at(id, '/json/VisualizerFileLocations'), { data: files })
    const document = (await metadata(token_id)).json()
    expect(document).toMatchObject({ image: files.image, animation_url: files.webm })
  })

  it('names the theme of the pictures, if the owner chose one', async () => {
    const id = await newOwnId()
    const { token_id } = (await setMinted(id, true)).json<{ token_id: number }>()
    for (const [data, value] of [
      [{ theme: 'lagoon' }, 'lagoon'],
      [{ theme: 'Waves' }, 'None'],
      [{ theme: 'constructor' }, 'None'],
      [{ theme: ['sky'] }, 'None'],
      [null, 'None'],
    ]) {
      expect((await anna.post(at(id, '/json/VisualizerData'), { data })).status).toBe(200)
      const { attributes } = (await metadata(token_id)).json<{ attributes: object[] }>()
      expect(attributes).toContainEqual({ trait_type: 'Visualizer Theme', value })
    }
  })

  it.each([
    ['0', 404],
    ['-1', 404],
    ['999999999', 404],
    ['9007199254740991', 404],
    ['9223372036854775808', 400],
    ['1.5', 400],
    ['one', 400],
  ])('token metadata of %s: %i', async (token_id, status) => {
    expect((await metadata(token_id)).status).toBe(status)
  })
})
