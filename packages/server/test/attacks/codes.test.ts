import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type CodeView,
  cartOf,
  makeCode,
  newText,
  ordersOf,
  redemptionCode,
  refusal,
  signedCode,
} from '../support/codes.ts'
import { goodPassword, newcomer, type Person, registerAs } from '../support/people.ts'
import { keyPair } from '../support/schnorr.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
let anna: Person
let orders: ReturnType<typeof ordersOf>
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service, { password: goodPassword })
  orders = ordersOf(service)
})

const invalid = {
  kind: 'refused',
  code: 'invalid_code',
  message: 'This code is not valid.',
  details: { fields: { code: [{ code: 'invalid_code', message: 'This code is not valid.' }] } },
}
const createOrganization = async (name: string) =>
  (await admin.post('/api/admin/organizations', { name, client_fee_percent: 100 })).json<{
    id: string
  }>().id
const hour = 60 * 60_000
const fromNow = (ms: number) => new Date(service.clock.now().getTime() + ms)

describe('an unusable code looks like an unknown one', () => {
  const useUp = async (code: CodeView) =>
    void (await orders.reserve({ code: code.redemption_code ?? '' }, cartOf(admin.id)))
  it.each<[string, () => Promise<string>]>([
    ['unknown', async () => newText()],
    ['malformed', async () => "' or 1=1--"],
    ['a pattern', async () => '%%%%%%%'],
    ['too long', async () => 'x'.repeat(100_000)],
    ['empty', async () => ''],
    [
      'deleted',
      async () => {
        const code = await makeCode(admin, redemptionCode())
        await admin.delete(`/api/admin/codes/${code.id}`)
        return code.redemption_code ?? ''
      },
    ],
    [
      'not in force yet',
      async () =>
        (await makeCode(admin, redemptionCode({ start_date: fromNow(hour) }))).redemption_code ??
        '',
    ],
    [
      'expired',
      async () =>
        (await makeCode(admin, redemptionCode({ end_date: fromNow(-1) }))).redemption_code ?? '',
    ],
    [
      'used up',
      async () => {
        const code = await makeCode(admin, redemptionCode({ max_uses: 1 }))
        await useUp(code)
        return code.redemption_code ?? ''
      },
    ],
    [
      "another organization's",
      async () => {
        const organization_id = await createOrganization('Others')
        return (await makeCode(admin, redemptionCode({ organization_id }))).redemption_code ?? ''
      },
    ],
    ['the id of a code', async () => (await makeCode(admin, redemptionCode())).id],
    ['the id of a code with a signature', async () => (await makeCode(admin, signedCode())).id],
  ])(
    'an unusable code looks like an unknown one is rejected as unknown: %s',
    async (_why, make) => {
      const code = await make()
      const cart = cartOf(anna.id, { organization_id: await createOrganization('Crabs') })
      expect(await refusal(orders.reserve({ code }, cart))).toEqual(invalid)
    },
  )

  it('a usable code is accepted in any letter case, with surrounding blanks', async () => {
    const dates = { start_date: fromNow(-hour), end_date: fromNow(hour) }
    const organization_id = await createOrganization('Crabs')
    const createdCode = await makeCode(
      admin,
      redemptionCode({ ...dates, organization_id, max_uses: 2 }),
    )
    const code = ` ${createdCode.redemption_code?.toUpperCase()}\n`
    const { items, order_id } = cartOf(anna.id)
    const cart = { order_id, user_id: anna.id, organization_id, items }
    const reserved = await orders.reserve({ code }, cart)
    expect(reserved.code).toMatchObject({ id: createdCode.id, organization_id })
    expect(reserved.discounts).toEqual([{ item_id: items[0]?.id, cents: 200 }])
    // A cart without a partner accepts a partner's code.
    await orders.reserve({ code }, cartOf(anna.id))
  })
})

describe('a code on a cart', () => {
  it('reports that its ids differ from the cart, or that there are too many', async () => {
    const createdCode = await makeCode(
      admin,
      redemptionCode({ pattern: { min_length: 3 }, max_emojis_per_user: 2 }),
    )
    const code = createdCode.redemption_code ?? ''
    const refusalFor = async (ids: string[]) => {
      const answer = await refusal(orders.reserve({ code }, cartOf(anna.id, {}, ids)))
      return answer === 'done' ? answer : [answer.kind, answer.code]
    }
    expect(await refusalFor(['🦀🌊'])).toEqual(['refused', 'unfitting_code'])
    expect(await refusalFor([])).toEqual(['refused', 'unfitting_code'])
    expect(await refusalFor(['🦀🌊🐙', '🦀🐙🌊', '🐙🌊🦀'])).toEqual(['refused', 'too_many_emojis'])
    expect(await refusalFor(['🦀🌊🐙', '🦀🌊'])).toBe('done')
    expect(await refusalFor(['🦀🐙🌊', '🐙🌊🦀'])).toEqual(['refused', 'too_many_emojis'])
    expect(await refusalFor(['🦀🐙🌊'])).toBe('done')
    expect(await refusalFor(['🐙🌊🦀'])).toEqual(['refused', 'too_many_emojis'])
  })

  it('keeps its use when it is deleted or its limit is lowered, until the order is paid or cancelled', async () => {
    const createdCode = await makeCode(admin, redemptionCode({ max_uses: 9 }))
    const [keptCart, droppedCart] = [cartOf(anna.id), cartOf(anna.id)]
    for (const cart of [keptCart, droppedCart]) {
      await orders.reserve({ code: createdCode.redemption_code ?? '' }, cart)
    }
    await admin.patch(`/api/admin/codes/${createdCode.id}`, { max_uses: 1 })
    await admin.delete(`/api/admin/codes/${createdCode.id}`)
    await orders.count(keptCart.order_id)
    await orders.release(keptCart.order_id)
    await orders.release(droppedCart.order_id)
    const uses = service.db
      .selectFrom('code_uses')
      .selectAll()
      .where('code_id', '=', createdCode.id)
    expect(await uses.execute()).toMatchObject([
      { order_id: keptCart.order_id, user_id: anna.id, emojis: 1, counted_at: expect.any(Date) },
    ])
  })
})

describe('the codes of an organization', () => {
  const join = async (organization_id: string, role: string) => {
    const member = await newcomer(service)
    const path = `/api/admin/organizations/${organization_id}/members/${member.id}`
    expect((await admin.put(path, { role })).status).toBe(200)
    return member
  }
  it('the codes of an organization are visible to and editable by its power roles, and hidden from other organizations', async () => {
    const [own, others] = [await createOrganization('Crabs'), await createOrganization('Lobsters')]
    const controller = await join(own, 'OrgController')
    const otherCode = await makeCode(admin, signedCode({ organization_id: others }))
    const general = await makeCode(admin, signedCode())
    const terms = { organization_id: own, discount_as_percentage: 50 }
    const createdCode = await makeCode(controller, signedCode(terms))
    const generous = { ...signedCode(terms), discount_as_percentage: 51 }
    expect((await controller.post('/api/admin/codes', generous)).status).toBe(403)
    const { pubkey } = keyPair()
    const all = await controller.get(`/api/codes?organization_id=${own}`)
    expect(all.json<{ data: CodeView[] }>().data.map(({ id }) => id)).toEqual([createdCode.id])

    const act = async (id: string) => [
      await controller.patch(`/api/admin/codes/${id}`, { name: 'Ours' }),
      await controller.post(`/api/codes/${id}/pubkeys/${pubkey}`),
      await controller.delete(`/api/codes/${id}/pubkeys/${pubkey}`),
      await controller.delete(`/api/admin/codes/${id}`),
    ]
    for (const { id } of [otherCode, general]) {
      const codes = (await act(id)).map((answer) => [answer.status, answer.json()['code']])
      expect(codes).toEqual(Array(4).fill([404, 'unknown_code']))
    }
    expect((await act(createdCode.id)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await controller.get(`/api/codes?organization_id=${others}`)).status).toBe(404)
    expect((await controller.get('/api/codes')).status).toBe(403)
    expect((await controller.post('/api/admin/codes', signedCode())).status).toBe(403)
    const foreign = signedCode({ organization_id: others })
    expect((await controller.post('/api/admin/codes', foreign)).status).toBe(404)
    const nowhere = redemptionCode({ organization_id: randomUUID() })
    expect((await admin.post('/api/admin/codes', nowhere)).json()['code']).toBe(
      'unknown_organization',
    )
  })

  it('the codes of an organization are hidden from plain members and from keys of a power role', async () => {
    const own = await createOrganization('Crabs')
    const [member, owner] = [await join(own, 'OrgMember'), await join(own, 'OrgOwner')]
    const code = await makeCode(owner, redemptionCode({ organization_id: own }))
    expect((await member.get(`/api/codes?organization_id=${own}`)).status).toBe(403)
    expect((await member.patch(`/api/admin/codes/${code.id}`, { name: 'Mine' })).status).toBe(403)
    const keyResponse = await owner.post('/api/api_keys', { name: 'a key' })
    const headers = { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key }
    const answer = await service.get(`/api/codes?organization_id=${own}`, { headers })
    expect(answer.status).toBe(403)
  })
})

describe('the database constraints', () => {
  const columns = `name, code_type, activator, code_hmac, sealed_code, discount_as_percentage,
    discount_in_cents, start_date, end_date, max_uses, created_at, updated_at`
  it.each<[string, string]>([
    ['0 %', `'x', 'Discount', 'RedemptionCode', 'a', 'a', 0, null, null, null, null`],
    ['101 %', `'x', 'Discount', 'RedemptionCode', 'a', 'a', 101, null, null, null, null`],
    ['no cents', `'x', 'Discount', 'RedemptionCode', 'a', 'a', null, 0, null, null, null`],
    ['two discounts', `'x', 'Discount', 'RedemptionCode', 'a', 'a', 5, 5, null, null, null`],
    ['no discount', `'x', 'Discount', 'RedemptionCode', 'a', 'a', null, null, null, null, null`],
    [
      'dates',
      `'x', 'Discount', 'RedemptionCode', 'a', 'a', 5, null, now(), now() - '1 s'::interval, null`,
    ],
    ['nothing to type', `'x', 'Discount', 'RedemptionCode', null, null, 5, null, null, null, null`],
    ['something to type', `'x', 'RandomYat', 'SecretKey', 'a', 'a', 5, null, null, null, null`],
    ['no uses', `'x', 'Discount', 'RedemptionCode', 'a', 'a', 5, null, null, null, 0`],
    ['a type', `'x', 'Gift', 'RedemptionCode', 'a', 'a', 5, null, null, null, null`],
  ])('reject a code with %s', async (_what, values) => {
    const statement = `insert into codes (${columns}) values (${values}, now(), now())`
    await expect(sql.raw(statement).execute(service.db)).rejects.toThrow(/violates check/)
  })
})
