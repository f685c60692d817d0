import { describe, expect, it } from 'vitest'
import { shownOfSeveral } from './shown.ts'

const first = { tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }
const second = { tag: '0x1003', data: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4|Main' }
const byDefault = { tag: '0x1003', data: `${first.data}|||t` }
const ether = { tag: '0x1004', data: '0x52908400098527886E0F7030069857D2E4169EE7' }

describe('several addresses for one currency', () => {
  it('show the default to payers, else the latest', () => {
    expect(shownOfSeveral(first, [first, ether, second])).toBe(second)
    expect(shownOfSeveral(second, [byDefault, second])).toBe(byDefault)
  })

  it('a single address needs no choice', () => {
    expect(shownOfSeveral(first, [first, ether])).toBeUndefined()
  })
})
