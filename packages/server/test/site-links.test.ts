import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MailedService, mailedService, newEmail } from './support/people.ts'
import { sharedService } from './support/shared-service.ts'

const links = {
  TERMS_URL: 'https://example.com/terms?v=1&lang=en#start',
  PRIVACY_URL: 'https://example.com/privacy',
  IMPRINT_URL: 'https://example.com/imprint',
  SUPPORT_URL: 'mailto:help@example.com',
}
const security = {
  SECURITY_CONTACT: 'mailto:security@example.com',
  SECURITY_EXPIRES: '2027-11-01',
  SECURITY_LANGUAGES: 'en,pt-BR',
}
const inHtml = Object.values(links).map((url) => url.replaceAll('&', '&#38;'))

let service: MailedService
beforeAll(async () => {
  service = await mailedService({ env: { ...links, ...security } })
})
afterAll(() => service?.close())

describe('links to the pages of the operator', () => {
  it.each([
    ['the page of an id', `/${encodeURIComponent('🔥🐍')}`],
    ['the report form', `/report/${encodeURIComponent('🔥🐍')}`],
    ['a page of an unregistered id', `/${encodeURIComponent('🍕👑🍕👑🍕')}`],
    ['an unknown page', '/no/such/page'],
    ['the authorization site', '/auth/'],
    ['a broken emailed link', '/auth/confirm_email?token=x'],
    ['the browser app', '/cart'],
    ['the sign-in page', '/sign-in'],
    ['the registration', '/sign-in?view=register'],
    ['a gift', '/gift'],
  ])('links to the pages of the operator are on %s', async (_what, path) => {
    const { body } = await service.get(path)
    const shown = path.startsWith('/cart') ? '"' : 'href="'
    for (const url of inHtml) expect(body).toContain(`${shown}${url}"`)
  })

  it('links to the pages of the operator are in every email, as text and as HTML', async () => {
    const email = newEmail()
    await service.post('/api/users', { email, password: null })
    const mail = await service.mailTo(email)
    for (const url of Object.values(links)) expect(mail?.text).toContain(`: ${url}`)
    for (const url of inHtml) expect(mail?.html).toContain(`href="${url}"`)
  })
})

describe('/.well-known/security.txt', () => {
  const path = '/.well-known/security.txt'

  it('/.well-known/security.txt has the contact of the configuration, as RFC 9116 asks', async () => {
    const { status, headers, body } = await service.get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(body).toBe(
      [
        'Contact: mailto:security@example.com',
        'Expires: 2027-11-01T00:00:00.000Z',
        'Preferred-Languages: en, pt-BR',
        `Canonical: http://localhost:3000${path}`,
        '',
      ].join('\n'),
    )
  })

  it('/.well-known/security.txt does not exist without a contact', async () => {
    const { status, body } = await (await sharedService()).get(path)
    expect(status).toBe(404)
    expect(body).not.toContain('Contact')
  })
})
