import { describe, expect, it } from 'vitest'
import { divideUp, times, toText, toUnits, unitsOf } from './decimal.ts'

describe('a decimal number', () => {
  it.each(['0', '12.34', '0.00000001', '999999999999999.999999999999999999'])(
    'parses %s',
    (text) => {
      expect(toText(unitsOf(text), text.split('.')[1]?.length ?? 0)).toBe(text)
    },
  )

  it.each(['', '-1', '1.', '.5', '1e5', 'NaN', '1,5', ' 1', '1.0000000000000000001'])(
    'rejects "%s"',
    (text) => {
      expect(toUnits(text)).toBeUndefined()
    },
  )

  it('a decimal number is multiplied and divided exactly', () => {
    const [amount, rate] = [unitsOf('19.99'), unitsOf('97531.86')]
    const due = divideUp(amount, rate, 8)

    expect(toText(due, 8)).toBe('0.00020496')
    expect(toText(times(due, rate), 2)).toBe('19.99')
    expect(times(due - unitsOf('0.00000001'), rate) < amount).toBe(true)
    expect(divideUp(unitsOf('1'), unitsOf('2'), 8)).toBe(unitsOf('0.5'))
  })
})
