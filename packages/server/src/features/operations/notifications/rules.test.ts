import { describe, expect, it } from 'vitest'
import {
  assertMailAddress,
  type MailAddress,
  normaliseMailAddress,
} from '../../../platform/mail/address.ts'
import { assertPhoneNumber } from './notifications.ts'
import { renderMail, renderSms } from './rules.ts'

const link = 'https://auth.example.com/magic_link?refresh_token=a&b=<c>'
const expiring = { link, valid_minutes: 10 }

describe('an email address', () => {
  it.each([
    'u@example.com',
    'First.Last+tag@Mail.Example.co.uk',
    "o'neil_%=?^{|}~!#$&*/-`@example.com",
    'a@xn--bcher-kva.example',
    `${'a'.repeat(64)}@example.com`,
    `a@${`${'b'.repeat(60)}.`.repeat(4)}${'c'.repeat(8)}`,
  ])('is accepted: %s', (text) => {
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
  ])('is rejected: %j', (text) => {
    expect(() => assertMailAddress(text)).toThrow('isn’t a valid email address')
  })

  // A backtracking pattern would not terminate here.
  it('is rejected in linear time', () => {
    expect(() => assertMailAddress(`${'a.'.repeat(500_000)}@`)).toThrow()
    expect(() => assertMailAddress(`a@${'a-'.repeat(125)}`)).toThrow()
  })

  it('gets the type MailAddress after the check', () => {
    const text: string = 'u@example.com'
    assertMailAddress(text)
    const provenAddress: MailAddress = text
    expect(provenAddress).toBe('u@example.com')
  })

  it('is compared without case', () => {
    expect(normaliseMailAddress('First.Last@Example.COM')).toBe('first.last@example.com')
  })
})

describe('a phone number', () => {
  it.each(['+14155550100', '+4930123456'])('is accepted: %s', (text) => {
    expect(() => assertPhoneNumber(text)).not.toThrow()
  })
  it.each(['4155550100', '+1 415 555', '+1415555010012345', '+1', '+1415555\n0100', 'x'])(
    'is rejected: %j',
    (text) => {
      expect(() => assertPhoneNumber(text)).toThrow('not a phone number')
    },
  )
})

const end_link = 'https://auth.example.com/end_interest?token=a&b=<d>'
const offer = { emoji_id: '🦀🌊', price: 1_234_550, link, end_link }

const offeredId = { ...expiring, emoji_id: '🦀🌊', code: 'ABCDEFGH' }
const luggage = { records: 1, addresses: ['BTC <c>'] }

describe('every email', () => {
  const all = [
    renderMail({ template: 'confirm_email', params: expiring }),
    renderMail({ template: 'magic_link', params: expiring }),
    renderMail({ template: 'password_reset', params: expiring }),
    renderMail({ template: 'email_change_confirm', params: expiring }),
    renderMail({ template: 'email_changed_notice', params: { not_me: link, until: 'then' } }),
    renderMail({
      template: 'security_notice',
      params: { title: 'A new key', sentence: 'An API key was made.', link },
    }),
    renderMail({ template: 'id_available', params: offer }),
    renderMail({ template: 'transfer_invitation', params: { emoji_id: '🦀🌊', link } }),
    renderMail({ template: 'lootbox_given', params: { ids: 3, link } }),
    renderMail({ template: 'transfer_code', params: { ...offeredId, receiver: 'u@example.com' } }),
    renderMail({ template: 'transfer_code', params: { ...offeredId, luggage } }),
    renderMail({
      template: 'transfer_received',
      params: { emoji_id: '🦀🌊', by: 'sender', luggage, is_new: false, link },
    }),
  ]

  it('has the link unchanged in the text, and escaped twice in the HTML', () => {
    const escaped = 'https://auth.example.com/magic_link?refresh_token=a&#38;b=&#60;c&#62;'
    for (const { text, html } of all) {
      expect(text.split('\n')).toContain(link)
      expect(html.split(`href="${escaped}"`)).toHaveLength(3)
      expect(html).toContain(`>${escaped}</a>`)
      expect(html).not.toContain('<c>')
    }
  })

  it('loads no resources and runs no scripts', () => {
    for (const { html } of all) expect(html).not.toMatch(/<(img|script|link|iframe|style)|url\(/i)
  })

  it('has a distinct subject and ends with the name of the service', () => {
    expect(new Set(all.map(({ subject }) => subject)).size).toBe(all.length)
    for (const { text } of all) expect(text).toMatch(/\n-- \nEmoji Id Directory\n$/)
  })
})

describe('the email about an available id', () => {
  it('names the id, its price and the link to stop these emails', () => {
    const { subject, text, html } = renderMail({ template: 'id_available', params: offer })
    expect(subject).toContain('🦀🌊')
    expect(text).toContain('for $12,345.50.')
    expect(text.split('\n')).toContain(end_link)
    expect(html).toContain('href="https://auth.example.com/end_interest?token=a&#38;b=&#60;d&#62;"')
  })
})

describe('a security notice', () => {
  it('escapes its sentence and keeps its subject on one line', () => {
    const { subject, html } = renderMail({
      template: 'security_notice',
      params: { title: 'A key\r\nBcc: evil@y.z', sentence: '<img src=x onerror=alert(1)>' },
    })
    expect(subject).toBe('A key Bcc: evil@y.z')
    expect(html).toContain('&#60;img src=x onerror=alert(1)&#62;')
    expect(html).not.toContain('<a ')
  })
})

describe('the lifetime of a link', () => {
  it.each([
    [1, 'for 1 minute.'],
    [10, 'for 10 minutes.'],
    [60, 'for 60 minutes.'],
    [1_440, 'for 24 hours.'],
  ])('of %d minutes is written as "%s"', (valid_minutes, words) => {
    expect(renderMail({ template: 'magic_link', params: { link, valid_minutes } }).text).toContain(
      words,
    )
  })
})

describe('a code by text message', () => {
  it('starts the text, which fits one message', () => {
    const text = renderSms({ template: 'code', params: { code: '123456', valid_minutes: 5 } })
    expect(text).toMatch(/^123456 is your Emoji Id Directory code/)
    expect(text.length).toBeLessThanOrEqual(160)
  })
})

it('an email quotes and shortens the name of an application', () => {
  const params = { ...expiring, application: 'Chat” is down. See https://evil.example' }
  const { subject, text } = renderMail({ template: 'magic_link', params })
  expect(subject).toBe('Your link to sign in to “Chat’ is down. See …”')
  expect(text).toContain('sign in to “Chat’ is down. See …” with your emoji id')
})
