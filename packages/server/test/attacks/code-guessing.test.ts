import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cartOf, makeCode, newText, ordersOf, redemptionCode, refusal } from '../support/codes.ts'
import { goodPassword, newcomer, type Person, registerAs } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: TestService
let orders: ReturnType<typeof ordersOf>
let right: string
let other: string
beforeAll(async () => {
  service = await sharedService()
  const admin = await registerAs(service, 'Admin')
  right = (await makeCode(admin, redemptionCode())).redemption_code ?? ''
  const tiny = { pattern: { max_length: 1 } }
  other = (await makeCode(admin, redemptionCode(tiny))).redemption_code ?? ''
  orders = ordersOf(service)
})
beforeEach(stopTheClock)

const hour = 60 * 60_000

describe('guessing promo codes', () => {
  const guess = (user_id: string, code: string) =>
    refusal(
      service.codes.countAttempt({ user_id, network: user_id }, () =>
        orders.reserve({ code }, cartOf(user_id)),
      ),
    )
  const codeOf = (outcome: Awaited<ReturnType<typeof guess>>) =>
    outcome === 'done' ? outcome : outcome.code
  const wrongTimes = async (user_id: string, count: number) => {
    for (let n = 0; n < count; n++)
      expect(codeOf(await guess(user_id, newText()))).toBe('invalid_code')
  }

  it('guessing promo codes is locked after 30 wrong codes on any carts, without affecting other users', async () => {
    const [eve, carl] = [
      await newcomer(service, { password: goodPassword }),
      await newcomer(service, { password: goodPassword }),
    ]
    await wrongTimes(eve.id, 30)
    const outcome = await guess(eve.id, right)
    expect(outcome).toMatchObject({ kind: 'limited', code: 'too_many_attempts' })
    expect(codeOf(await guess(carl.id, right))).toBe('done')
    service.clock.advance(2_000)
    expect(codeOf(await guess(eve.id, newText()))).toBe('invalid_code')
    service.clock.advance(1_000)
    expect(codeOf(await guess(eve.id, right))).toBe('too_many_attempts')
    service.clock.advance(hour + 60_000)
    expect(codeOf(await guess(eve.id, right))).toBe('done')
  })

  it('guessing promo codes is not reset by correct codes in between', async () => {
    const eve = await newcomer(service, { password: goodPassword })
    for (let n = 0; n < 3; n++) {
      await wrongTimes(eve.id, 10)
      if (n < 2) expect(codeOf(await guess(eve.id, right))).toBe('done')
    }
    expect(codeOf(await guess(eve.id, right))).toBe('too_many_attempts')
  })

  const guessFrom = (network: string, user_id: string, code: string) =>
    refusal(
      service.codes.countAttempt({ user_id, network }, () =>
        orders.reserve({ code }, cartOf(user_id)),
      ),
    )
  const lockNetwork = async (network: string) => {
    for (let account = 0; account < 10; account++) {
      const user_id = randomUUID()
      await Promise.all(Array.from({ length: 30 }, () => guessFrom(network, user_id, newText())))
    }
  }

  it('guessing promo codes is locked after 300 wrong codes of a network, from any accounts', async () => {
    const network = '203.0.113'
    await lockNetwork(network)
    const person = await newcomer(service, { password: goodPassword })
    expect(codeOf(await guessFrom(network, person.id, right))).toBe('too_many_attempts')
    expect(codeOf(await guess(person.id, right))).toBe('done')
  })

  it('guessing promo codes does not lock the network again by attempts of a locked user', async () => {
    const network = '198.51.100'
    await lockNetwork(network)
    service.clock.advance(2_000)
    const [eve, carl] = [
      await newcomer(service, { password: goodPassword }),
      await newcomer(service, { password: goodPassword }),
    ]
    await wrongTimes(eve.id, 30)
    expect(codeOf(await guessFrom(network, eve.id, right))).toBe('too_many_attempts')
    expect(codeOf(await guessFrom(network, carl.id, right))).toBe('done')
  })

  it('guessing promo codes does not count correct codes, nor codes that do not fit the cart', async () => {
    const carl = await newcomer(service, { password: goodPassword })
    for (let n = 0; n < 20; n++) {
      expect(codeOf(await guess(carl.id, right))).toBe('done')
      expect(codeOf(await guess(carl.id, other))).toBe('unfitting_code')
    }
  })
})

describe('the texts of new codes of a partner', () => {
  // The clock has passed the end of earlier tokens.
  let admin: Person
  beforeAll(async () => {
    admin = await registerAs(service, 'Admin')
  })
  const partner = async (members = 1) => {
    const organization = await admin.post('/api/admin/organizations', {
      name: 'Crabs',
      client_fee_percent: 100,
    })
    const organization_id = organization.json<{ id: string }>().id
    const people: Person[] = []
    while (people.length < members) {
      const person = await newcomer(service, { password: goodPassword })
      const path = `/api/admin/organizations/${organization_id}/members/${person.id}`
      await admin.put(path, { role: 'OrgOwner' })
      people.push(person)
    }
    const create = (by: Person, text: string) =>
      by.post('/api/admin/codes', redemptionCode({ organization_id, redemption_code: text }))
    return { people, create, organization_id }
  }
  const outcomeOf = ({ status, json }: Awaited<ReturnType<Person['post']>>) =>
    status === 200 ? 'done' : json()['code']
  const first = <Item>(items: Item[]): Item => items[0] as Item

  it('tell whether a text exists at most 30 times, as guesses on carts do', async () => {
    const { people, create } = await partner()
    const person = first(people)
    for (let n = 0; n < 10; n++) {
      expect(outcomeOf(await create(person, right))).toBe('uniqueness')
      expect(outcomeOf(await create(person, newText()))).toBe('done')
    }
    for (let n = 0; n < 10; n++) {
      const guess = { user_id: person.id, network: person.id }
      const cart = cartOf(person.id)
      const work = () => orders.reserve({ code: newText() }, cart)
      expect(await refusal(service.codes.countAttempt(guess, work))).toMatchObject({
        code: 'invalid_code',
      })
    }
    for (const text of [right, newText()]) {
      expect(outcomeOf(await create(person, text))).toBe('too_many_attempts')
    }
  })

  it('the texts of new codes of a partner are not counted if the service chooses them, so that a partner makes many codes', async () => {
    const { people, organization_id } = await partner()
    const person = first(people)
    const { redemption_code: _, ...terms } = redemptionCode({ organization_id })
    const texts = new Set<string>()
    for (let n = 0; n < 40; n++) {
      const answer = await person.post('/api/admin/codes', terms)
      expect(outcomeOf(answer)).toBe('done')
      texts.add(answer.json<{ redemption_code: string }>().redemption_code)
    }
    expect(texts.size).toBe(40)
    for (const text of texts) expect(text).toMatch(/^([0-9A-F]{5}-){3}[0-9A-F]{5}$/)
  })

  it('the texts of new codes of a partner cannot be probed by changing one code, or by several members', async () => {
    const { people, create } = await partner(2)
    const [one, other] = people as [Person, Person]
    const code = (await create(one, newText())).json<{ id: string; redemption_code: string }>()
    const change = (by: Person, body: object) => by.patch(`/api/admin/codes/${code.id}`, body)
    for (let n = 0; n < 15; n++) {
      expect(outcomeOf(await change(one, { redemption_code: right }))).toBe('uniqueness')
    }
    for (let n = 0; n < 14; n++) {
      expect(outcomeOf(await change(other, { redemption_code: newText() }))).toBe('done')
    }
    for (const person of people) {
      const answer = await change(person, { redemption_code: right })
      expect(outcomeOf(answer)).toBe('too_many_attempts')
    }
    expect(outcomeOf(await change(one, { name: 'Renamed' }))).toBe('done')
  })

  it('the texts of new codes of a partner are not counted if other terms are refused, or for operators, who may list all codes', async () => {
    const { people, create, organization_id } = await partner()
    const person = first(people)
    for (let n = 0; n < 32; n++) {
      const terms = { organization_id, redemption_code: right, combinable: true }
      const answer = await person.post('/api/admin/codes', redemptionCode(terms))
      expect(outcomeOf(answer)).toBe('not_yours_to_give')
      const answerToAdmin = await admin.post(
        '/api/admin/codes',
        redemptionCode({ redemption_code: right }),
      )
      expect(outcomeOf(answerToAdmin)).toBe('uniqueness')
    }
    expect(outcomeOf(await create(person, newText()))).toBe('done')
  })
})
