import { describe, expect, it } from 'vitest'
import { changeWaits, delayLowered } from '../src/features/directory/delays/mails.ts'
import {
  senderCode,
  transferOffer,
  transferReceived,
} from '../src/features/directory/transfers/mails.ts'
import {
  emailChanged,
  newAddressConfirmation,
  securityNotice,
} from '../src/features/identity/accounts/mails.ts'
import {
  addressConfirmation,
  factorRecovery,
  passwordReset,
  signInLink,
} from '../src/features/identity/mailbox/mails.ts'
import { organizationInvitation } from '../src/features/identity/organizations/rules.ts'
import { recoveryBegun } from '../src/features/identity/recovery/rules.ts'
import { smsText } from '../src/features/identity/second-factor/rules.ts'
import { lootboxGiven } from '../src/features/lootboxes/rules.ts'
import { disputeNews } from '../src/features/shop/disputes/mails.ts'
import { idAvailable } from '../src/features/shop/interests/rules.ts'
import { refundSent } from '../src/features/shop/refunds/rules.ts'
import { noLinks } from '../src/platform/http/pages/links.ts'
import { type Letter, writeLetter } from '../src/platform/mail/letter.ts'
import { serviceName } from '../src/platform/mail/phrases.ts'

const write = (letter: Letter) => writeLetter(letter, { from: serviceName, links: noLinks })

const link = 'https://auth.example.com/magic_link?refresh_token=a&b=<c>'
const expiring = { link, valid_minutes: 10 }
const end_link = 'https://auth.example.com/end_interest?token=a&b=<d>'
const offer = { emoji_id: '🦀🌊', price: 1_234_550, link, end_link }

const offeredId = { ...expiring, emoji_id: '🦀🌊', code: 'ABCDEFGH' }
const waitingChange = { emoji_id: '🦀🌊', changes: ['BTC <c> added'], at: 'then', link }
const luggage = { records: 1, addresses: ['BTC <c>'] }

describe('every email', () => {
  const all = [
    write(addressConfirmation(expiring)),
    write(signInLink(expiring)),
    write(passwordReset(expiring)),
    write(newAddressConfirmation(expiring)),
    write(emailChanged({ not_me: link, until: 'then' })),
    write(recoveryBegun(link, 'then')),
    write(factorRecovery(expiring)),
    write(changeWaits(waitingChange)),
    write(delayLowered(waitingChange)),
    write(refundSent({ order_number: '1', amount_in_cents: 500, link })),
    write(disputeNews('1', 'A buyer’s bank disputes <c>.', link)),
    write(organizationInvitation({ organization: 'Bank', role: 'OrgController', link })),
    write(idAvailable(offer)),
    write(lootboxGiven(3, link)),
    write(senderCode({ ...offeredId, receiver: 'u@example.com' })),
    write(transferOffer({ ...offeredId, luggage })),
    write(transferReceived('🦀🌊', { by: 'sender', luggage, is_new: false, link })),
  ]

  it('every email has the link unchanged in the text, and escaped twice in the HTML', () => {
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

  it('every email has a distinct subject and ends with the name of the service', () => {
    expect(new Set(all.map(({ subject }) => subject)).size).toBe(all.length)
    for (const { text } of all) expect(text).toMatch(/\n-- \nEmoji Id Directory\n$/)
  })
})

describe('the email about an available id', () => {
  it('names the id, its price and the link to stop these emails', () => {
    const { subject, text, html } = write(idAvailable(offer))
    expect(subject).toContain('🦀🌊')
    expect(text).toContain('for $12,345.50.')
    expect(text.split('\n')).toContain(end_link)
    expect(html).toContain('href="https://auth.example.com/end_interest?token=a&#38;b=&#60;d&#62;"')
  })
})

describe('a security notice', () => {
  it('escapes its sentence and keeps its subject on one line', () => {
    const { subject, html } = write(
      securityNotice('A key\r\nBcc: evil@y.z', '<img src=x onerror=alert(1)>'),
    )
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
  ])('the lifetime of a link of %d minutes is written as "%s"', (valid_minutes, words) => {
    expect(write(signInLink({ link, valid_minutes })).text).toContain(words)
  })
})

describe('a code by text message', () => {
  it('starts the text, which fits one message', () => {
    const text = smsText('123456', 5)
    expect(text).toMatch(/^123456 is your Emoji Id Directory code/)
    expect(text.length).toBeLessThanOrEqual(160)
  })
})

it('an email quotes and shortens the name of an application', () => {
  const params = { ...expiring, application: 'Chat” is down. See https://evil.example' }
  const { subject, text } = write(signInLink(params))
  expect(subject).toBe('Your link to sign in to “Chat’ is down. See …”')
  expect(text).toContain('sign in to “Chat’ is down. See …” with your emoji id')
})
