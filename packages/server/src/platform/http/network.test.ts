import { expect, it } from 'vitest'
import { networkOf, wideNetworkOf } from './network.ts'

it.each([
  ['203.0.113.7', '203.0.113.250'],
  ['203.0.113.7', '::ffff:203.0.113.8'],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
  ['2001:0db8:0001:0002:0:0:0:1', '2001:db8:1:2::1'],
  ['fe80::1', 'fe80::2%eth0'],
  ['203.0.113.7:5555', '203.0.113.9'],
  ['[2001:db8:1:2::1]:443', '2001:db8:1:2::1'],
  ['no address', 'nor this'],
])('%s and %s share a network', (one, other) => {
  expect(networkOf(one)).toBe(networkOf(other))
})

it.each([
  ['203.0.113.7', '203.0.114.7'],
  ['2001:db8:1:2::1', '2001:db8:1:3::1'],
  ['::1', '127.0.0.1'],
])('%s and %s are different networks', (one, other) => {
  expect(networkOf(one)).not.toBe(networkOf(other))
})

it.each([
  ['203.0.113.7', '203.0.7.9', true],
  ['203.0.113.7', '203.1.113.7', false],
  ['2001:db8:1:2::1', '2001:db8:1:ffff::1', true],
  ['2001:db8:1:2::1', '2001:db8:2:2::1', false],
])('%s and %s share a wide network: %s', (one, other, isOne) => {
  expect(wideNetworkOf(networkOf(one)) === wideNetworkOf(networkOf(other))).toBe(isOne)
})
