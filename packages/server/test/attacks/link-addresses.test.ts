import { beforeAll, describe, expect, it } from 'vitest'
import {
  type MailedService,
  newcomer,
  newEmail,
  press,
  register,
  submit,
} from '../support/people.ts'
import { sendRaw } from '../support/raw.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
beforeAll(async () => {
  service = await sharedMailedService()
})

const authUrl = 'http://localhost:3000/auth/'

describe('the address in an emailed link', () => {
  const paths = ['users', 'auth/magic_link', 'auth/password_reset']
  const disguises = [
    {
      disguise: 'X-Forwarded-Host',
      target: '',
      headers:
        'Host: localhost\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nForwarded: host=evil.example',
    },
    {
      disguise: 'Host and Origin',
      target: '',
      headers: 'Host: evil.example\r\nOrigin: http://evil.example',
    },
    { disguise: 'the request line', target: 'http://evil.example', headers: 'Host: evil.example' },
  ]
  const cases = disguises.flatMap((disguise) => paths.map((path) => ({ ...disguise, path })))

  it.each(cases)(
    'is the configured one despite $disguise at /$path', // T21
    async ({ target, headers, path }) => {
      const email = path === 'users' ? newEmail() : (await newcomer(service)).email
      const body = JSON.stringify({ email })
      const { status } = await sendRaw(
        service.port,
        `POST ${target}/api/${path} HTTP/1.1\r\n${headers}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      )
      expect([200, 400, 404]).toContain(status)
      await service.settle()
      // A rejected request sends no email.
      const mails = service.mailsTo(email)
      expect(mails).toHaveLength(status === 200 ? 1 : 0)
      for (const { text = '', html = '' } of mails) {
        expect(text + html).not.toContain('evil')
        const addresses = [...(text + html).matchAll(/https?:\/\/[^\s"<]+/g)].map(String)
        expect(addresses.length).toBeGreaterThan(0)
        expect(addresses.filter((address) => !address.startsWith(authUrl))).toEqual([])
      }
    },
  )
})

describe('the redirect target of a link', () => {
  const victim = newEmail()
  it.each([
    '//evil.example',
    'https://evil.example',
    'http:evil.example',
    '/\\evil.example',
    '/%2f%2fevil.example',
    '/%5cevil.example',
    '/%09/evil.example',
    '/\t/evil.example',
    '/\r\nLocation: https://evil.example',
    'javascript:alert("evil")',
    '/..//evil.example',
    '/a/..//evil.example',
    '/.//evil.example',
    '\\\\evil.example',
    '@evil.example',
    '.evil.example',
    ':80@evil.example',
    'evil',
    ' /evil',
    '/evil#x',
    '/?next=https://evil.example',
    // Open redirects: pages that forward to an owner's URL.
    '/%F0%9F%A6%80',
    '/fire.snake',
    '/cart/evil',
    '/checkout/evil',
    '/sign-in/evil',
    '/orders/a/evil',
    '/partner/demo/evil',
    '/partner/demo/',
    '/auth/authorize',
    '/api/account',
    `/${'evil'.repeat(1_280)}`,
  ])('the redirect target of a link cannot leave the site: %j', async (redirect) => {
    const answer = await service.post('/api/auth/magic_link', { email: victim, redirect })
    expect([answer.status, answer.json()['code']]).toEqual([400, 'invalid_redirect']) // T22
  })

  it('the redirect target of a link is never emailed when it was rejected', async () => {
    await register(service, { email: victim, password: null })
    await service.post('/api/auth/magic_link', { email: victim, redirect: '//evil.example' })
    await service.mailTo(victim)
    await service.settle()
    expect(service.mailsTo(victim)).toHaveLength(1)
    expect(service.sink.received.filter(({ raw }) => raw.includes('evil'))).toEqual([])
  })

  it.each([
    { redirect: '/', place: '/' },
    { redirect: '/account/ids/%F0%9F%A6%80?x=1&y=2', place: '/account/ids/%F0%9F%A6%80?x=1&y=2' },
    { redirect: '/partner/demo/link-email?eid=a', place: '/partner/demo/link-email?eid=a' },
    { redirect: '/orders/b.c', place: '/orders/b.c' },
    { redirect: '/account?code=of-another-user', place: '/account' },
    { redirect: null, place: '/' },
  ])(
    'the redirect target of a link is the requested one: $redirect',
    async ({ redirect, place }) => {
      const { email } = await newcomer(service)
      await service.post('/api/auth/magic_link', { email, redirect })
      const choice = await press(service, await service.linkTo(email))
      const token = /name="token" value="([^"]+)"/.exec(choice.body)?.[1] ?? ''
      const next = await submit(service, '/auth/first_password/skip', { token })
      const url = new URL(next.headers.get('location') ?? '')
      const codes = url.searchParams.getAll('code')
      url.searchParams.delete('code')

      expect(url.href).toBe(`http://localhost:3000${place}`)
      expect(codes).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
    },
  )
})
