import { describe, expect, it } from 'vitest'
import { emptyBodies, type SentBody } from './support/empty-bodies.ts'
import { at, grant, newId } from './support/ids.ts'
import { bearer, registerAs } from './support/people.ts'
import { sharedService } from './support/shared-service.ts'
import { buyer } from './support/shop.ts'

/** Like shipped-clients.test.ts, for transfers and grants of ids. */
const service = await sharedService()
const admin = await registerAs(service, 'Super')
/** Invalid credentials, which must not stop reading public data. */
const bad = [{}, { authorization: 'Bearer expired' }, { 'x-api-key': 'wrong' }]

const send = (
  by: { tokens: { access_token: string } },
  method: string,
  path: string,
  sentBody: SentBody,
) =>
  service.call(method, path, {
    ...sentBody,
    headers: { ...sentBody.headers, ...bearer(by.tokens.access_token).headers },
  })

describe('a transfer', () => {
  const begin = async (more: object = {}) => {
    const [sender, receiver] = [await buyer(service), await buyer(service)]
    const eid = await grant(admin, { user_id: sender.id })
    const answer = await sender.post('/api/transfers', { eid, email: receiver.email, ...more })
    return { sender, answer, id: answer.json<{ id: string }>().id }
  }

  it.each([
    { clear_on_transfer: null, force_transfer: null, pubkey: null, message: null },
    { clear_on_transfer: false, force_transfer: false, a_member_of_tomorrow: 1 },
  ])('starts with %o', async (more) => {
    const { answer } = await begin(more)
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ clear_on_transfer: false, accepted_at: null })
  })

  it('to a key starts with the address as null', async () => {
    const [sender, receiver] = [await buyer(service), await buyer(service)]
    const eid = await grant(admin, { user_id: sender.id })
    const [pubkey] = (await receiver.get('/api/pubkeys')).json<string[]>()
    expect((await sender.post('/api/transfers', { eid, email: null, pubkey })).status).toBe(200)
  })

  it.each(emptyBodies)('a transfer is cancelled with %s as body', async (_what, sentBody) => {
    const { sender, id } = await begin()
    expect((await send(sender, 'DELETE', `/api/transfers/${id}`, sentBody)).status).toBe(200)
  })

  it.each(emptyBodies)(
    'a transfer gets a new code by email with %s as body',
    async (_what, sentBody) => {
      const { sender, id } = await begin()
      service.clock.advance(61_000)
      expect(
        (await send(sender, 'POST', `/api/transfers/${id}/resend_code`, sentBody)).status,
      ).toBe(200)
    },
  )

  it('a transfer is listed for a key beside a non-Bearer Authorization', async () => {
    const { sender } = await begin()
    const { api_key } = (await sender.post('/api/api_keys', { name: 'wallet' })).json()
    const headers = { 'x-api-key': String(api_key), authorization: 'Basic eDp5' }
    for (const path of ['/transfers', '/transfers/incoming']) {
      expect((await service.get(`/api${path}`, { headers })).status).toBe(200)
    }
  })
})

describe('a lootbox', () => {
  const box = async (body: object) => {
    const answer = await admin.post('/api/lootboxes', { yats: [newId(), newId()], ...body })
    expect(answer.status).toBe(200)
    return answer.json<{ id: string }>().id
  }

  it('a lootbox is created and given with the unnamed owner as null', async () => {
    const person = await buyer(service)
    const id = await box({ status: 'Available', owner_email: null, owner_id: null })
    const wish = { status: 'Owned', owner_id: person.id, owner_email: null, yats: null }
    const giveResponse = await admin.patch(`/api/lootboxes/${id}`, wish)
    expect(giveResponse.json()).toMatchObject({ status: 'Owned', owner_id: person.id })
  })

  it.each(emptyBodies)('a lootbox is opened with %s as body', async (_what, sentBody) => {
    const person = await buyer(service)
    const id = await box({ status: 'Owned', owner_id: person.id })
    expect((await send(person, 'POST', `/api/lootboxes/${id}/open`, sentBody)).status).toBe(200)
  })

  it.each(emptyBodies)('a lootbox is deleted with %s as body', async (_what, sentBody) => {
    const id = await box({ status: 'Draft' })
    expect((await send(admin, 'DELETE', `/api/lootboxes/${id}`, sentBody)).status).toBe(200)
  })
})

describe('a token', () => {
  const account = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const sign = async (more: object = {}) => {
    const id = await grant(admin, { user_id: admin.id })
    const answer = await admin.post(at(id, '/generate_signature'), { account, ...more })
    expect(answer.status).toBe(200)
    return id
  }

  it('a token is signed for without an expiry, and described to clients with invalid credentials', async () => {
    const id = await sign({ expiry: null })
    const mintAnswer = await admin.put(`/api/admin/emoji_ids/${encodeURIComponent(id)}/minted`, {
      minted: true,
    })
    expect(mintAnswer.status).toBe(200)
    const { token_id } = await service.db
      .selectFrom('emoji_ids')
      .select('token_id')
      .where('emoji_id', '=', id)
      .executeTakeFirstOrThrow()
    for (const headers of bad) {
      const answer = await service.get(`/api/nft_transfers/metadata/${token_id}`, { headers })
      expect(answer.status).toBe(200)
    }
  })
})

describe('a partner', async () => {
  const terms = { name: 'Wallet', partner_path: 'wallet' }
  const organizationResponse = await admin.post('/api/admin/organizations', terms)
  const path = `/api/organizations/${organizationResponse.json<{ id: string }>().id}/branding`

  it('a partner shows its branding with null pictures to any client', async () => {
    const answer = await admin.put(path, {
      currencies: ['0x1003'],
      return_link: 'https://example.com/back',
      logo: null,
      logo_small: null,
      logo_thumbnail: null,
      requires_email: null,
    })
    expect(answer.status).toBe(200)
    for (const headers of bad) expect((await service.get(path, { headers })).status).toBe(200)
  })

  it.each([{}, { data: null }, { data: 'hello', a_member_of_tomorrow: 1 }])(
    'gets its echo with %o',
    async (more) => {
      const answer = await admin.post('/api/proxy', { service: 'Echo', ...more })
      expect(answer.status).toBe(200)
    },
  )
})
