import { beforeAll, describe, expect, it } from 'vitest'
import type { MemberRole } from '../../src/features/operations/access/access.ts'
import { at, grant, recordsOf } from '../support/ids.ts'
import { type MailedService, newcomer, type Person, press, registerAs } from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Admin')
})

const own = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const ofThief = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const otherEther = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
type Pair = [tag: string, data: string]
const insert = async (by: Pick<Person, 'patch'>, id: string, ...pairs: Pair[]) => {
  const body = { insert: pairs.map(([tag, data]) => ({ tag, data })) }
  expect((await by.patch(at(id), body)).status).toBe(200)
}
const dataOf = async (id: string) => (await recordsOf(service, id)).map(({ data }) => data).sort()
/** The link in the email about this change. Waits for it, since emails overtake each other. */
const linkAbout = async (email: string, words: string) => {
  const find = () => service.mailsTo(email).find(({ text }) => text?.includes(words))
  await expect.poll(find).toBeDefined()
  return /http:\/\/localhost:\d+(\/auth\/\S+)/.exec(find()?.text ?? '')?.[1] ?? ''
}

/** An owner whose Bitcoin address a thief in their account has just replaced. */
const robbed = async () => {
  const anna = await newcomer(service)
  const id = await grant(admin, { user_id: anna.id })
  await insert(anna, id, ['0x1003', own], ['0x1004', ether])
  const linkTo = (words: string) => linkAbout(anna.email, words)
  await insert(anna, id, ['0x1003', ofThief])
  return { anna, id, linkTo, link: await linkTo(`${ofThief} was added`) }
}

describe('undoing a change', () => {
  it('undoing a change leaves other records of that change and later ones', async () => {
    const { anna, id, linkTo } = await robbed()
    await insert(anna, id, ['0x1003', `${ofThief}|shop`], ['0x0005', 'Anna'])
    await insert(anna, id, ['0x5001', 'a text'], ['0x1004', otherEther])
    const link = await linkTo(`${ofThief} is now labelled “shop”`)
    expect((await press(service, link)).status).toBe(200)
    expect(await dataOf(id)).toEqual(['Anna', 'a text', ofThief, otherEther].sort())
  })

  it('restores a deleted address', async () => {
    const { anna, id, link } = await robbed()
    const { hash } = (await recordsOf(service, id)).find(({ data }) => data === ofThief) ?? {}
    expect((await anna.patch(at(id), { delete: [hash] })).status).toBe(200)
    expect((await press(service, link)).status).toBe(200)
    expect(await dataOf(id)).toEqual([ether, own].sort())
  })

  it('removes a newly added address', async () => {
    const anna = await newcomer(service)
    const id = await grant(admin, { user_id: anna.id })
    await insert(anna, id, ['0x1003', ofThief])
    await insert(anna, id, ['0x5001', 'a text'])
    expect((await press(service, await linkAbout(anna.email, ofThief))).status).toBe(200)
    expect(await dataOf(id)).toEqual(['a text'])
  })
})

describe('records linked to a store entry', () => {
  const write = (by: Person, id: string, ...linked: string[]) =>
    by.post(at(id, '/json/SvcPageData'), {
      data: 1,
      linked_tags: linked.map((data) => ({ tag: '0x1003', data })),
    })
  it('records linked to a store entry are linked again after an undo: they are stored and removed with the entry as before', async () => {
    const anna = await newcomer(service)
    const id = await grant(admin, { user_id: anna.id })
    expect((await write(anna, id, own)).status).toBe(200)
    expect((await write(anna, id, ofThief)).status).toBe(200)
    const link = await linkAbout(anna.email, `${ofThief} was added`)
    expect((await press(service, link)).status).toBe(200)
    expect(await dataOf(id)).toEqual([own])
    expect((await write(anna, id, own)).status).toBe(200)
    expect(await dataOf(id)).toEqual([own])
    expect((await write(anna, id)).status).toBe(200)
    expect(await dataOf(id)).toEqual([])
  })
})

describe('other currencies (0x3fff) and tokens (0x6300)', () => {
  const usdc = (address: string) => `USDC|USD Coin|ETH|${address}||`
  const usdt = (address: string) => `USDT|Tether|ETH|${address}||`
  const inOrder = async (id: string) => (await recordsOf(service, id)).map(({ data }) => data)
  const hashOf = async (id: string, wanted: string) =>
    (await recordsOf(service, id)).find(({ data }) => data === wanted)?.hash

  /** An owner with two currencies and two tokens. */
  const rich = async () => {
    const anna = await newcomer(service)
    const id = await grant(admin, { user_id: anna.id })
    await insert(anna, id, ['0x3fff', 'KAS|kaspa:own'], ['0x3fff', 'ERG|9own'])
    await insert(anna, id, ['0x6300', usdc(ether)], ['0x6300', usdt(ether)])
    return { anna, id, linkTo: (words: string) => linkAbout(anna.email, words) }
  }

  it('other currencies (0x3fff) and tokens (0x6300) are restored one by one: later changes of others stay', async () => {
    const { anna, id, linkTo } = await rich()
    await insert(anna, id, ['0x3fff', 'KAS|kaspa:thief'], ['0x6300', usdc(otherEther)])
    const link = await linkTo('kaspa:thief was added')
    await insert(anna, id, ['0x3fff', 'ERG|9new'], ['0x3fff', 'XCH|xch1new'])
    await insert(anna, id, ['0x6300', usdt(otherEther)])
    expect((await press(service, link)).status).toBe(200)
    expect(await inOrder(id)).toEqual([
      'KAS|kaspa:own',
      'ERG|9new',
      usdc(ether),
      usdt(otherEther),
      'XCH|xch1new',
    ])
  })

  it('return to their order and place, so that the generic address of the owner is the same', async () => {
    const { anna, id, linkTo } = await rich()
    const [kas, erg, ...rest] = (await recordsOf(service, id)).map(({ hash }) => hash)
    await anna.patch(at(id), { order: [erg, kas, ...rest] })
    expect((await press(service, await linkTo('the order is now'))).status).toBe(200)
    expect((await inOrder(id)).slice(0, 2)).toEqual(['KAS|kaspa:own', 'ERG|9own'])
    await anna.patch(at(id), { delete: [await hashOf(id, 'KAS|kaspa:own')] })
    const link = await linkTo('kaspa:own was removed')
    await insert(anna, id, ['0x3fff', 'KAS|kaspa:thief'])
    expect((await press(service, link)).status).toBe(200)
    const payments = await service.get(at(id, '/payment'))
    expect(payments.json()).toMatchObject({
      result: { '0x3fff': { address: '9own' }, '0x3fff:KAS': { address: 'kaspa:own' } },
    })
  })

  it('that replaced one of several return what payers saw', async () => {
    const { anna, id, linkTo } = await rich()
    const edit = (body: object) => anna.patch(at(id), { ...body, bypass_single_restrictions: true })
    const bitcoins = (...data: string[]) => data.map((one) => ({ tag: '0x1003', data: one }))
    const paid = async () =>
      (await service.get(at(id, '/payment'))).json<{
        result: Record<string, { address: string }>
      }>().result['0x1003']?.address
    await edit({ insert: bitcoins(own, ofThief) })
    const before = [await inOrder(id), await paid()]
    expect(before[1]).toBe(ofThief)
    await edit({ delete: [await hashOf(id, own)], insert: bitcoins(`${own}|again`) })
    expect(await paid()).toBe(own)
    const link = await linkTo('is now labelled')
    expect((await press(service, link)).status).toBe(200)
    expect([await inOrder(id), await paid()]).toEqual(before)
  })

  it('that an operator changed stay, and an undo restores the others', async () => {
    const { anna, id, linkTo } = await rich()
    await insert(anna, id, ['0x3fff', 'KAS|kaspa:thief'], ['0x3fff', 'ERG|9thief'])
    await insert(anna, id, ['0x6300', usdt(otherEther)])
    const link = await linkTo('kaspa:thief was added')
    const later = await linkTo(`USDT on ETH ${otherEther} was added`)
    const moderate = async (data: string) => {
      const body = { delete: [await hashOf(id, data)], reason: 'Stolen money' }
      expect((await admin.patch(at(id), body)).status).toBe(200)
    }
    await moderate('KAS|kaspa:thief')
    await moderate(usdc(ether))
    for (const one of [link, later]) expect((await press(service, one)).status).toBe(200)
    expect(await inOrder(id)).toEqual(['ERG|9own', usdt(ether)])
  })
})

describe('undoing a change of the order', () => {
  const thirdBitcoin = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'
  const inOrder = async (id: string) => (await recordsOf(service, id)).map(({ data }) => data)
  const hashesOf = async (id: string, ...wanted: string[]) => {
    const records = await recordsOf(service, id)
    return wanted.map((data) => records.find((record) => record.data === data)?.hash)
  }
  /** Two addresses of one currency, whose order has just changed. */
  const reordered = async () => {
    const anna = await newcomer(service)
    const id = await grant(admin, { user_id: anna.id })
    const edit = async (body: object) => expect((await anna.patch(at(id), body)).status).toBe(200)
    const add = (...all: string[]) =>
      edit({
        insert: all.map((data) => ({ tag: '0x1003', data })),
        bypass_single_restrictions: true,
      })
    const remove = async (data: string) => edit({ delete: await hashesOf(id, data) })
    await add(own, thirdBitcoin)
    await edit({ order: await hashesOf(id, thirdBitcoin, own) })
    const linkTo = (words: string) => linkAbout(anna.email, words)
    return { id, edit, add, remove, linkTo, link: await linkTo('the order is now') }
  }

  it('keeps an address that was added later, and does not bring a deleted one back', async () => {
    const { id, add, remove, link } = await reordered()
    await remove(own)
    await add(ofThief)
    expect(await inOrder(id)).toEqual([thirdBitcoin, ofThief])
    expect((await press(service, link)).status).toBe(200)
    expect(await inOrder(id)).toEqual([thirdBitcoin, ofThief])
  })

  it('restores the exact order of an address that is stored twice with different labels', async () => {
    const { id, edit, add, linkTo } = await reordered()
    const labelled = `${thirdBitcoin}|x`
    await add(labelled)
    expect(await inOrder(id)).toEqual([thirdBitcoin, own, labelled])
    await edit({ order: await hashesOf(id, own, thirdBitcoin, labelled) })
    expect((await press(service, await linkTo(`${own}, then `))).status).toBe(200)
    expect(await inOrder(id)).toEqual([thirdBitcoin, own, labelled])
  })

  it('moves the addresses that are left, around a later one', async () => {
    const { id, add, link } = await reordered()
    await add(ofThief)
    expect((await service.get(link)).body).toContain('the order becomes')
    expect((await press(service, link)).status).toBe(200)
    expect(await inOrder(id)).toEqual([own, thirdBitcoin, ofThief])
  })

  it('undoing a change of the order and a later theft restores addresses and order', async () => {
    const { id, add, remove, linkTo, link } = await reordered()
    await add(ofThief)
    const addition = await linkTo(`${ofThief} was added`)
    await remove(own)
    const removal = await linkTo(`${own} was removed`)
    for (const one of [addition, link, removal])
      expect((await press(service, one)).status).toBe(200)
    expect(await inOrder(id)).toEqual([own, thirdBitcoin])
  })
})

describe('two changes by a thief', () => {
  it.each([
    ['the first mail first', [0, 1]],
    ['the second mail first', [1, 0]],
  ])('undone restore the owner’s address: %s', async (_, order) => {
    const { anna, id, link, linkTo } = await robbed()
    await insert(anna, id, ['0x1003', `${ofThief}|again`])
    const links = [link, await linkTo(`${ofThief} is now labelled “again”`)]
    for (const n of order) {
      expect((await press(service, links[n] ?? '')).status).toBe(200)
      expect((await dataOf(id)).includes(own)).toBe(n === 0 || order[0] === 0)
    }
    expect(await dataOf(id)).toEqual([ether, own].sort())
  })

  it('two changes by a thief are not restored by any link after the owner fixed them', async () => {
    const { anna, id, link, linkTo } = await robbed()
    await insert(anna, id, ['0x1003', `${ofThief}|again`])
    const second = await linkTo(`${ofThief} is now labelled “again”`)
    await insert(anna, id, ['0x1003', own])
    for (const one of [link, second]) expect((await press(service, one)).status).toBe(200)
    expect(await dataOf(id)).toEqual([ether, own].sort())
  })

  it('two changes by a thief are undone one by one: the second link restores the address in place since', async () => {
    const { anna, id, link, linkTo } = await robbed()
    expect((await press(service, link)).status).toBe(200)
    await insert(anna, id, ['0x1003', `${own}|new`])
    await insert(anna, id, ['0x1003', `${ofThief}|again`])
    const next = await linkTo(`${ofThief} (labelled “again”) was added`)
    expect((await press(service, next)).status).toBe(200)
    expect(await dataOf(id)).toEqual([ether, `${own}|new`].sort())
  })
})

describe('an id of an organization', () => {
  /** An organization with an id, whose Bitcoin address its controller has just replaced. */
  const organization = async () => {
    const organizationResponse = await admin.post('/api/admin/organizations', { name: 'Crabs' })
    const { id: organization_id } = organizationResponse.json<{ id: string }>()
    const pathOf = ({ id }: Person) => `/api/admin/organizations/${organization_id}/members/${id}`
    const join = async (role: MemberRole) => {
      const person = await newcomer(service)
      expect((await admin.put(pathOf(person), { role })).status).toBe(200)
      return person
    }
    const [owner, controller, member] = [
      await join('OrgOwner'),
      await join('OrgController'),
      await join('OrgMember'),
    ]
    const id = await grant(admin, { organization_id })
    await insert(owner, id, ['0x1003', own])
    await insert(controller, id, ['0x1003', ofThief])
    return { id, owner, controller, member, pathOf }
  }
  const words = `${ofThief} was added`

  it('notifies only its power roles, is restored by either of them, and then stays', async () => {
    const { owner, controller, member, id } = await organization()
    const links = [
      await linkAbout(owner.email, words),
      await linkAbout(controller.email, words),
    ] as const
    await service.settle()
    const textTo = ({ email }: Person) =>
      service.mailsTo(email).find(({ text }) => text?.includes(words))?.text
    expect(textTo(owner)).toContain('by another member of your organization')
    expect(textTo(controller)).toContain('from your account')
    expect(textTo(member)).toBeUndefined()
    expect((await press(service, links[0])).status).toBe(200)
    expect(await dataOf(id)).toEqual([own])
    await insert(owner, id, ['0x1003', `${own}|new`])
    expect((await press(service, links[1])).status).toBe(200)
    expect(await dataOf(id)).toEqual([`${own}|new`])
    await insert(admin, id, ['0x1003', `${own}|operator`])
    await linkAbout(owner.email, 'An operator changed')
  })

  it('an id of an organization cannot be restored by a former power role or member', async () => {
    const { id, owner, controller, pathOf } = await organization()
    const [one, other] = [
      await linkAbout(owner.email, words),
      await linkAbout(controller.email, words),
    ]
    expect((await admin.put(pathOf(controller), { role: 'OrgMember' })).status).toBe(200)
    expect((await press(service, other)).status).toBe(422)
    expect((await admin.put(pathOf(controller), { role: 'OrgOwner' })).status).toBe(200)
    expect((await admin.delete(pathOf(owner))).status).toBe(200)
    expect((await press(service, one)).status).toBe(422)
    expect(await dataOf(id)).toEqual([ofThief])
  })
})
