import { merkleRoot, parseTag, recordHash } from '@emojid/core'
import { describe, expect, it } from 'vitest'
import {
  type Draft,
  editOf,
  inWantedOrder,
  planOf,
  type Step,
  stepsBack,
  swapStep,
  withNoted,
  withStep,
} from './draft.ts'

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
const editFor = (draft: Draft, there = records) => editOf(there, planOf(there, draft), draft)

describe('a draft', () => {
  it('replaces a record of a single-value tag, and names the removed one', () => {
    const [entry] = planOf(records, [add(next)])
    expect(entry).toMatchObject({ before: [old], after: next })
    expect(editFor([add(next)])).toEqual({
      insert: [next],
      delete: [old.hash],
      bypass_single_restrictions: true,
      merkle_root: merkleRoot([link.hash, next.hash]),
    })
  })

  it('adds a record beside it if the owner keeps both', () => {
    expect(planOf(records, [add(next, true)])[0]?.before).toEqual([])
    expect(editFor([add(next, true)]).delete).toEqual([])
  })

  it('adds further records for a multi-value tag', () => {
    const other = stored('0x4001', 'https://example.org')
    expect(planOf(records, [add(other)])[0]?.before).toEqual([])
  })

  it('removes a record by one step only', () => {
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

  it('a draft has one step per record', () => {
    const change: Step = { key: 'a', kind: 'change', hash: old.hash, record: next }
    const remove: Step = { key: 'b', kind: 'remove', hash: old.hash }
    expect(withStep([change], remove)).toEqual([remove])
    expect(withStep([add(next)], { ...add(third), key: add(next).key })).toHaveLength(1)
  })
})

describe('two steps for a single-value tag', () => {
  const labelled = stored('0x1003', `${old.data}|Label`)
  const change = (record: typeof old, isBeside = false): Step => ({
    key: old.hash,
    kind: 'change',
    hash: old.hash,
    record,
    isBeside,
  })

  it('keep only the later one, in any order', () => {
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

  it('both stay if the owner keeps both', () => {
    expect(planOf(records, [add(next), change(labelled, true)])).toMatchObject([
      { before: [], after: next },
      { before: [old], after: labelled },
    ])
    expect(editFor([add(next), add(third, true)], []).insert).toEqual([next, third])
  })

  it('move an edited step to the end, where it wins', () => {
    const draft = [change(labelled), add(next)]
    const secondDraft = withNoted(draft, planOf(records, draft), change(labelled))
    expect(planOf(records, secondDraft)).toMatchObject([{ before: [old], after: labelled }])
  })

  it('change records side by side that were kept side by side', () => {
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

  it('keep a removal independent of the other step', () => {
    const draft: Draft = [add(next), { key: 'r', kind: 'remove', hash: old.hash }]
    expect(editFor(draft)).toMatchObject({ insert: [next], delete: [old.hash] })
  })

  it('ignore a change without effect', () => {
    expect(planOf(records, [add(next), change(old)])).toMatchObject([{ after: next }])
  })
})

describe('after a concurrent change of the records', () => {
  it('a change of a removed record replaces the current one', () => {
    const draft: Draft = [{ key: 'a', kind: 'change', hash: old.hash, record: next }]
    expect(planOf([third], draft)).toMatchObject([{ before: [third], after: next }])
  })

  it('a step that is already done is dropped', () => {
    expect(planOf([next], [add(next)])).toEqual([])
    expect(planOf([], [{ key: 'a', kind: 'remove', hash: old.hash }])).toEqual([])
    const [entry] = planOf([old, next], [add(next)])
    expect(entry).toMatchObject({ before: [old] })
    expect(entry?.after).toBeUndefined()
  })
})

describe('another order', () => {
  const swappedStep = swapStep(records, old, link)

  it('another order is sent with all resulting records; a changed record keeps its place', () => {
    expect(editFor([swappedStep])).toMatchObject({
      insert: [],
      delete: [],
      order: [link.hash, old.hash],
    })
    expect(editFor([add(next), swappedStep])).toMatchObject({
      insert: [next],
      delete: [old.hash],
      order: [link.hash, next.hash],
    })
  })

  it('another order is not sent if the records have it', () => {
    expect(editFor([swappedStep], [link, old])).not.toHaveProperty('order')
    expect(editFor([add(next)])).not.toHaveProperty('order')
  })

  it('puts records from elsewhere last', () => {
    expect(inWantedOrder([third, old, link], [swappedStep])).toEqual([link, old, third])
  })
})

describe('reverting a change', () => {
  const change = { removed: [old], added: [next] }

  it('restores the removed record in place of the added one', () => {
    expect(planOf([next], stepsBack([next], change))).toMatchObject([
      { before: [next], after: old },
    ])
  })

  it('replaces the current record', () => {
    expect(planOf([third], stepsBack([third], change))).toMatchObject([
      { before: [third], after: old },
    ])
  })

  it('skips restored records, and removes added ones', () => {
    expect(stepsBack([old], change)).toEqual([])
    expect(planOf([link], stepsBack([link], { removed: [], added: [link] }))).toMatchObject([
      { before: [link] },
    ])
  })
})
