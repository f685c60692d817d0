import { describe, expect, it } from 'vitest'
import {
  assertMailAddress,
  type MailAddress,
  normaliseMailAddress,
} from '../../../platform/mail/address.ts'
import { assertPhoneNumber } from './notifications.ts'

describe('an email address', () => {
  it.each([
    'u@example.com',
    'First.Last+tag@Mail.Example.co.uk',
    "o'neil_%=?^{|}~!#$&*/-`@example.com",
    'a@xn--bcher-kva.example',
    `${'a'.repeat(64)}@example.com`,
    `a@${`${'b'.repeat(60)}.`.repeat(4)}${'c'.repeat(8)}`,
  ])('an email address is accepted: %s', (text) => {
    expect(() => assertMailAddress(text)).not.toThrow()
  })

  it.each([
    'u@example.com\r\nBcc: evil@y.z',
    'u@example.com\nevil@y.z',
    'u@example.com\n',
    '\nu@example.com',
    'a@x.com,evil@y.z',
    'a@x.com;evil@y.z',
    'a@x.com evil@y.z',
    '"a" <evil@y.z>',
    '<evil@y.z>',
    'a <evil@y.z>',
    'g:evil@y.z;',
    '"a@x.com,"@y.z',
    'a(evil)@x.com',
    '@relay.x:evil@y.z',
    'a@@x.com',
    'a@b@x.com',
    'a@x.com\0',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@localhost',
    'a@x.com.',
    'a@.x.com',
    'a@x..com',
    'a@-x.com',
    '.a@x.com',
    'a.@x.com',
    'a..b@x.com',
    'ä@x.com',
    'a@bücher.example',
    'а@x.com',
    '',
    '@',
    'a@',
    '@x.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b.'.repeat(125)}com`,
  ])('an email address is rejected: %j', (text) => {
    expect(() => assertMailAddress(text)).toThrow('isn’t a valid email address')
  })

  // A backtracking pattern would not terminate here.
  it('an email address is rejected in linear time', () => {
    expect(() => assertMailAddress(`${'a.'.repeat(500_000)}@`)).toThrow()
    expect(() => assertMailAddress(`a@${'a-'.repeat(125)}`)).toThrow()
  })

  it('an email address gets the type MailAddress after the check', () => {
    const text: string = 'u@example.com'
    assertMailAddress(text)
    const provenAddress: MailAddress = text
    expect(provenAddress).toBe('u@example.com')
  })

  it('an email address is compared without case', () => {
    expect(normaliseMailAddress('First.Last@Example.COM')).toBe('first.last@example.com')
  })
})

describe('a phone number', () => {
  it.each(['+14155550100', '+4930123456'])('a phone number is accepted: %s', (text) => {
    expect(() => assertPhoneNumber(text)).not.toThrow()
  })
  it.each(['4155550100', '+1 415 555', '+1415555010012345', '+1', '+1415555\n0100', 'x'])(
    'is rejected: %j',
    (text) => {
      expect(() => assertPhoneNumber(text)).toThrow('not a phone number')
    },
  )
})
