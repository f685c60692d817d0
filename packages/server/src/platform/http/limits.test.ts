import { expect, it } from 'vitest'
import { createBudget } from './limits.ts'

const each = { atOnce: 10, perSecond: 2 }
const all = { atOnce: 25, perSecond: 5 }
const waits = (seconds: number) =>
  expect.objectContaining({ kind: 'limited', details: { retry_after_seconds: seconds } })

it('a budget limits each network; debt is paid back first', () => {
  let now = 0
  const budget = createBudget('tests', { each, all }, () => now)
  const assertLeft = (network: string) => () => budget.assertLeft(network)

  budget.take('one', 9)
  expect(assertLeft('one')).not.toThrow()
  budget.take('one', 6)
  expect(assertLeft('one')).toThrow(waits(3))
  expect(assertLeft('two')).not.toThrow()
  now += 2_000
  expect(assertLeft('one')).toThrow(waits(1))
  now += 1_000
  expect(assertLeft('one')).not.toThrow()
})

it('a budget limits all networks together, and leaves each a twentieth', () => {
  let now = 0
  const budget = createBudget(
    'tests',
    { each: { atOnce: 100, perSecond: 20 }, all: { atOnce: 250, perSecond: 20 } },
    () => now,
  )
  const networks = ['198.51.100', '203.0.113', '192.0.2', '20010db800010001']
  const assertLeft = (network: string) => () => budget.assertLeft(network)
  for (const network of networks) budget.take(network, 90)

  expect(assertLeft('198.51.100')).toThrow()
  expect(assertLeft('198.18.0')).not.toThrow()
  budget.take('198.18.0', 5)
  expect(assertLeft('198.18.0')).toThrow()
  // A network that keeps below its refill gets no more.
  let admitted = 0
  for (; now < 20_000; now += 100) {
    for (const network of networks) budget.take(network, 1)
    try {
      budget.spend('198.18.0', 1)
      admitted++
    } catch {}
  }
  expect(admitted).toBe(20)
})

it('a budget leaves all networks of an IPv6 /48 one share', () => {
  const limit = { atOnce: 100, perSecond: 20 }
  const budget = createBudget('tests', { each: limit, all: limit }, () => 0)
  budget.take('198.51.100', 300)
  expect(budget.trySpend('20010db800010001', 5)).toBe(true)
  expect(budget.trySpend('20010db800010002', 5)).toBe(false)
  expect(budget.trySpend('20010db800020001', 5)).toBe(true)
})

it('a budget limits a wide network, and leaves each IPv4 network in it a twentieth', () => {
  const budget = createBudget('tests', { each: { atOnce: 100, perSecond: 2 } }, () => 0)
  const assertLeft = (network: string) => () => budget.assertLeft(network)
  for (const nth of [1, 2, 3, 4, 5]) {
    budget.take(`198.51.${nth}`, 90)
    budget.take(`20010db80001000${nth}`, 90)
  }

  expect(assertLeft('198.51.1')).toThrow(waits(7))
  expect(assertLeft('198.51.6')).not.toThrow()
  budget.take('198.51.6', 5)
  expect(assertLeft('198.51.6')).toThrow()
  expect(assertLeft('20010db800010006')).toThrow()
})

it('a budget drops idle networks, not active ones', () => {
  const budget = createBudget('tests', { each, all: { atOnce: 1e9, perSecond: 1 } }, () => 0)
  const assertLeft = (network: string) => () => budget.assertLeft(network)
  for (const network of ['early', 'eager']) budget.take(network, 10)
  for (let n = 0; n < 9_999; n++) {
    budget.take(`network ${n}`, 1)
    if (n % 1_000 === 0) expect(assertLeft('eager')).toThrow()
  }

  expect(assertLeft('early')).not.toThrow()
  expect(assertLeft('eager')).toThrow()
})

it('a budget refuses a network in debt without a limit for the process, also while no time passes', () => {
  const budget = createBudget('tests', { each: { atOnce: 10, perSecond: 1 } }, () => 0)
  budget.spend('192.0.2.0/24', 20)
  expect(() => budget.assertLeft('192.0.2.0/24')).toThrow('Rate limit reached')
})
