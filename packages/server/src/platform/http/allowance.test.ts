import { expect, it } from 'vitest'
import { createAllowance } from './allowance.ts'

const each = { atOnce: 10, perSecond: 2 }
const all = { atOnce: 25, perSecond: 5 }
const waits = (seconds: number) =>
  expect.objectContaining({ kind: 'limited', details: { retry_after_seconds: seconds } })

it('an allowance limits each network; debt is paid back first', () => {
  let now = 0
  const allowance = createAllowance({ each, all }, () => now)
  const assertLeft = (network: string) => () => allowance.assertLeft(network)

  allowance.take('one', 9)
  expect(assertLeft('one')).not.toThrow()
  allowance.take('one', 6)
  expect(assertLeft('one')).toThrow(waits(3))
  expect(assertLeft('two')).not.toThrow()
  now += 2_000
  expect(assertLeft('one')).toThrow(waits(1))
  now += 1_000
  expect(assertLeft('one')).not.toThrow()
})

it('an allowance limits all networks together, except those that used little', () => {
  const allowance = createAllowance({ each, all }, () => 0)
  const assertLeft = (network: string) => () => allowance.assertLeft(network)
  for (const network of ['one', 'two', 'three']) allowance.take(network, 9)

  expect(assertLeft('one')).toThrow(waits(1))
  expect(assertLeft('four')).not.toThrow()
  allowance.take('four', 2)
  expect(assertLeft('four')).toThrow(waits(1))
})

it('an allowance limits a wide network, and leaves each IPv4 network in it a twentieth', () => {
  const allowance = createAllowance({ each: { atOnce: 100, perSecond: 2 } }, () => 0)
  const assertLeft = (network: string) => () => allowance.assertLeft(network)
  for (const nth of [1, 2, 3, 4, 5]) {
    allowance.take(`198.51.${nth}`, 90)
    allowance.take(`20010db80001000${nth}`, 90)
  }

  expect(assertLeft('198.51.1')).toThrow(waits(7))
  expect(assertLeft('198.51.6')).not.toThrow()
  allowance.take('198.51.6', 5)
  expect(assertLeft('198.51.6')).toThrow()
  expect(assertLeft('20010db800010006')).toThrow()
})

it('an allowance drops idle networks, not active ones', () => {
  const allowance = createAllowance({ each, all: { atOnce: 1e9, perSecond: 1 } }, () => 0)
  const assertLeft = (network: string) => () => allowance.assertLeft(network)
  for (const network of ['early', 'eager']) allowance.take(network, 10)
  for (let n = 0; n < 9_999; n++) {
    allowance.take(`network ${n}`, 1)
    if (n % 1_000 === 0) expect(assertLeft('eager')).toThrow()
  }

  expect(assertLeft('early')).not.toThrow()
  expect(assertLeft('eager')).toThrow()
})

it('an allowance refuses a network in debt without a limit for the process, also while no time passes', () => {
  const allowance = createAllowance({ each: { atOnce: 10, perSecond: 1 } }, () => 0)
  allowance.spend('192.0.2.0/24', 20)
  expect(() => allowance.assertLeft('192.0.2.0/24')).toThrow('Rate limit reached')
})
