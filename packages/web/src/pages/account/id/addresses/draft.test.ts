import { merkleRoot, parseTag, recordHash } from '@emojid/core'
import { describe, expect, it } from 'vitest'
import { type Draft, editOf, planOf, type Step, stepsBack, withNoted, withStep } from './draft.ts'

const stored = (tag: string, data: string) => ({
  tag,
  data,
  hash: recordHash(parseTag(tag), data),
})
const old = stored('0x1003', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')
const next = stored('0x1003', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4|Main')
const third = stored('0x1003', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT')
const link = stored('0x4001', 'https://example.com')
const records = [old, link]

const add = (record: typeof old, isBeside = false): Step => ({
  key: `add ${record.hash}`,
  kind: 'add',
  record,
  isBeside,
})
const editFor = (draft: Draft, there = records) => editOf(there, planOf(there, draft))

describe('a draft', () => {
  it('replaces what a category keeps one of, and names what goes', () => {
    const [entry] = planOf(records, [add(next)])
    expect(entry).toMatchObject({ before: [old], after: next })
    expect(editFor([add(next)])).toEqual({
      insert: [next],
      delete: [old.hash],
      bypass_single_restrictions: true,
      merkle_root: merkleRoot([link.hash, next.hash]),
    })
  })

  it('puts another one beside it when that is wanted', () => {
    expect(planOf(records, [add(next, true)])[0]?.before).toEqual([])
    expect(editFor([add(next, true)]).delete).toEqual([])
  })

  it('puts further ones beside where a category keeps several', () => {
    const other = stored('0x4001', 'https://example.org')
    expect(planOf(records, [add(other)])[0]?.before).toEqual([])
  })

  it('takes one record away from one step only', () => {
    const both: Draft = [{ key: 'x', kind: 'change', hash: old.hash, record: next }, add(third)]
    expect(editFor(both)).toMatchObject({ delete: [old.hash], insert: [third] })
  })

  it('keeps tokens of other networks', () => {
    const token = (network: string, address: string) =>
      stored('0x6300', `USDC|USD Coin|${network}|${address}||`)
    const ethereum = token('ETH', '0x52908400098527886E0F7030069857D2E4169EE7')
    const polygon = token('MATIC', '0x52908400098527886E0F7030069857D2E4169EE7')
    const newer = token('ETH', '0x8617E340B3D01FA5F11F306F4090FD50E238070D')
    expect(planOf([ethereum, polygon], [add(newer)])[0]?.before).toEqual([ethereum])
  })

  it('has one step per record', () => {
    const change: Step = { key: 'a', kind: 'change', hash: old.hash, record: next }
    const remove: Step = { key: 'b', kind: 'remove', hash: old.hash }
    expect(withStep([change], remove)).toEqual([remove])
    expect(withStep([add(next)], { ...add(third), key: add(next).key })).toHaveLength(1)
  })
})

describe('of two steps about what a category keeps one of', () => {
  const labelled = stored('0x1003', `${old.data}|Label`)
  const change = (record: typeof old, isBeside = false): Step => ({
    key: old.hash,
    kind: 'change',
    hash: old.hash,
    record,
    isBeside,
  })

  it('the later one takes the place of the earlier one, whichever they are', () => {
    expect(planOf(records, [add(next), change(labelled)])).toMatchObject([
      { before: [old], after: labelled },
    ])
    expect(planOf(records, [change(labelled), add(next)])).toMatchObject([
      { before: [old], after: next },
    ])
    expect(planOf([], [add(next), add(third)])).toMatchObject([{ before: [], after: third }])
    expect(editFor([add(next), change(labelled)])).toMatchObject({
      insert: [labelled],
      delete: [old.hash],
    })
  })

  it('both stay when that is wanted', () => {
    expect(planOf(records, [add(next), change(labelled, true)])).toMatchObject([
      { before: [], after: next },
      { before: [old], after: labelled },
    ])
    expect(editFor([add(next), add(third, true)], []).insert).toEqual([next, third])
  })

  it('what lost its place has the last word when it is said anew', () => {
    const draft = [change(labelled), add(next)]
    const again = withNoted(draft, planOf(records, draft), change(labelled))
    expect(planOf(records, again)).toMatchObject([{ before: [old], after: labelled }])
  })

  it('records that are kept side by side are changed side by side', () => {
    const there = [old, third]
    const other = stored('0x1003', `${third.data}|Other`)
    const draft: Draft = [
      change(labelled),
      { key: 'b', kind: 'change', hash: third.hash, record: other },
    ]
    expect(editFor(draft, there)).toMatchObject({
      insert: [labelled, other],
      delete: [old.hash, third.hash],
    })
  })

  it('a removal takes nothing from the other', () => {
    const draft: Draft = [add(next), { key: 'r', kind: 'remove', hash: old.hash }]
    expect(editFor(draft)).toMatchObject({ insert: [next], delete: [old.hash] })
  })

  it('a change that changes nothing does nothing', () => {
    expect(planOf(records, [add(next), change(old)])).toMatchObject([{ after: next }])
  })
})

describe('after somebody else changed the records', () => {
  it('a change of a record that is gone replaces what is there instead', () => {
    const draft: Draft = [{ key: 'a', kind: 'change', hash: old.hash, record: next }]
    expect(planOf([third], draft)).toMatchObject([{ before: [third], after: next }])
  })

  it('what is done already is not done again', () => {
    expect(planOf([next], [add(next)])).toEqual([])
    expect(planOf([], [{ key: 'a', kind: 'remove', hash: old.hash }])).toEqual([])
    const [entry] = planOf([old, next], [add(next)])
    expect(entry).toMatchObject({ before: [old] })
    expect(entry?.after).toBeUndefined()
  })
})

describe('putting a change back', () => {
  const change = { removed: [old], added: [next] }

  it('brings back what went, in the place of what came', () => {
    expect(planOf([next], stepsBack([next], change))).toMatchObject([
      { before: [next], after: old },
    ])
  })

  it('goes back from whatever is there by now', () => {
    expect(planOf([third], stepsBack([third], change))).toMatchObject([
      { before: [third], after: old },
    ])
  })

  it('leaves what is back already, and takes away what only came', () => {
    expect(stepsBack([old], change)).toEqual([])
    expect(planOf([link], stepsBack([link], { removed: [], added: [link] }))).toMatchObject([
      { before: [link] },
    ])
  })
})
