import { describe, expect, it } from 'vitest'
import { paymentAddresses, paymentLookup } from '../payments/payment-view.ts'
import { recordHash } from './record-hash.ts'
import { replaceRecords } from './replace-records.ts'
import { parseTag } from './tags.ts'

const record = (tag: string, data: string) => {
  const parsedTag = parseTag(tag)
  return { tag: parsedTag, data, hash: recordHash(parsedTag, data) }
}
const [btc, ltc] = [record('0x1003', 'one'), record('0x1019', 'two')]
const [kas, erg] = [record('0x3fff', 'KAS|a'), record('0x3fff', 'ERG|b')]
const [first, second] = [
  record('0x4001', 'https://a.example'),
  record('0x4001', 'https://b.example'),
]
const hashes = (...records: { hash: string }[]) => new Set(records.map(({ hash }) => hash))

describe('replaceRecords', () => {
  it('puts a new record in the place of the record with the same key', () => {
    const next = record('0x1003', 'three')
    expect(replaceRecords([btc, ltc], hashes(btc), [next])).toEqual([next, ltc])
    const newKas = record('0x3fff', 'KAS|c')
    expect(replaceRecords([erg, kas, ltc], hashes(kas), [newKas])).toEqual([erg, newKas, ltc])
    expect(replaceRecords([erg, ltc], hashes(erg), [newKas])).toEqual([ltc, newKas])
  })

  it('makes a new record the most recent one, in the place of another', () => {
    const [one, two, three] = ['x', 'y', 'z'].map((data) => record('0x1003', data)) as [
      typeof btc,
      typeof btc,
      typeof btc,
    ]
    const replaced = replaceRecords([btc, one], hashes(btc), [two])
    expect(replaced).toEqual([{ ...two, recent: 1 }, one])
    const address = (records: Parameters<typeof paymentAddresses>[0]) =>
      paymentAddresses(records)['0x1003']?.address
    expect(address(replaced)).toBe('y')
    // The next one comes last and is the most recent: the places tell that too.
    expect(replaceRecords(replaced, hashes(one), [three])).toEqual([two, three])
    const appended = replaceRecords(replaced, hashes(), [three])
    expect(appended).toEqual([{ ...two, recent: 1 }, one, { ...three, recent: 2 }])
    expect(address(appended)).toBe('z')
    expect(paymentLookup([kas, { ...erg, recent: 1 }, ltc])['0x3fff']?.address).toBe('b')
    const generic = replaceRecords([kas, erg], hashes(kas), [record('0x3fff', 'KAS|c')])
    expect(paymentLookup(generic)['0x3fff']?.address).toBe('c')
  })

  it('fills the places of several records in order, and appends the rest', () => {
    const [one, two, three] = ['x', 'y', 'z'].map((name) =>
      record('0x4001', `https://${name}.example`),
    ) as [typeof first, typeof first, typeof first]
    const current = [first, btc, second]
    expect(replaceRecords(current, hashes(first, second), [one, two, three])).toEqual([
      one,
      btc,
      two,
      three,
    ])
    expect(replaceRecords(current, hashes(first, second), [one])).toEqual([one, btc])
  })
})
