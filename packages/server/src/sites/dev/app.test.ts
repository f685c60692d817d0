import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRaw } from '../../../test/support/raw.ts'
import { type TestService, testService } from '../../../test/support/service.ts'
import { signInLink } from '../../features/identity/mailbox/mails.ts'
import type { Notifications } from '../../features/operations/notifications/notifications.ts'
import { transact } from '../../platform/database/database.ts'

let folder: string
let service: TestService
let notifications: Notifications

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emojid-dev-'))
  service = await testService({
    env: { ROLES: 'api,auth,web,worker', DATA_DIR: folder },
    override: (container) => {
      notifications = container.notifications
      return container
    },
  })
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

type MailList = { to: string; subject: string; text: string; html: string; at: string }[]
const listMails = async () => (await service.get('/dev/mail.json')).json<MailList>()

describe('the development page', () => {
  it('the development page shows captured emails and text messages', async () => {
    const start = Date.now()
    const empty = await service.get('/dev/mail.json')
    const link = 'http://localhost:3000/auth/magic_link?refresh_token=abc'
    await transact(service.db, (trx) =>
      notifications.queueMail(trx, {
        to: 'u@example.com',
        kind: 'magic_link',
        silent: true,
        letter: signInLink({ link, valid_minutes: 10 }),
      }),
    )
    await expect.poll(async () => (await listMails()).length).toBe(1)
    await transact(service.db, (trx) =>
      notifications.queueSms(trx, {
        to: '+14155550100',
        kind: 'code',
        text: 'Your code is 123456.',
        valid_minutes: 5,
      }),
    )
    await expect.poll(async () => (await listMails()).length).toBe(2)
    const { body } = await service.get('/dev')
    const [mail, sms] = await listMails()

    expect(empty.body).toBe('[]')
    expect(empty.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(Object.keys(mail ?? {})).toEqual(['to', 'subject', 'text', 'html', 'at'])
    expect(mail).toMatchObject({ to: 'u@example.com', subject: 'Your sign-in link' })
    expect(mail?.text).toContain(link)
    expect(mail?.html).toContain(`href="${link}"`)
    expect(Date.parse(mail?.at ?? '')).toBeGreaterThanOrEqual(start)
    expect(sms).toMatchObject({ to: '+14155550100', text: expect.stringContaining('123456') })
    expect(body).toContain(`<a href="${link}">`)
    expect(body.indexOf('+14155550100')).toBeLessThan(body.indexOf('u@example.com'))
  })

  const pages = [
    '/dev',
    '/dev/mail.json',
    '/dev/login',
    '/dev/callback',
    '/dev/wallet',
    '/dev/wallet.js',
    '/dev/return',
  ]
  /** fetch would set its own Host header. */
  const status = async (path: string, host: string, header = '', version = '1.1') => {
    const lines = [`GET ${path} HTTP/${version}`, `host: ${host}`, 'connection: close', header]
    const text = lines.filter(Boolean).join('\r\n')
    return (await sendRaw(service.port, `${text}\r\n\r\n`)).status
  }

  it.each(pages)('rejects %s under a foreign host name', async (path) => {
    for (const host of ['evil.example', 'localhost.evil.example', '']) {
      expect([host, [400, 404].includes(await status(path, host))]).toEqual([host, true])
    }
    expect(await status(path, 'evil.example')).toBe(404)
    expect(await status(path, `localhost:${service.port}`)).not.toBe(404)
  })

  it.each([
    'X-Forwarded-For: 203.0.113.7',
    'X-Forwarded-For: 127.0.0.1',
    'x-forwarded-for:',
    'X-Forwarded-Host: shop.example',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Server: edge',
    'X-Original-Host: shop.example',
    'Forwarded: for=203.0.113.7',
    'X-Real-IP: 203.0.113.7',
    'Via: 1.1 edge',
    'CF-Connecting-IP: 203.0.113.7',
    'True-Client-IP: 203.0.113.7',
    'CF-Ray: 230b030023ae2822-SJC',
    'CDN-Loop: cloudflare',
    'X-Amzn-Trace-Id: Root=1-67891233-abcdef012345678912345678',
    'X-Envoy-External-Address: 203.0.113.7',
    'X-Forward-For: 203.0.113.7',
    'Client-IP: 203.0.113.7',
    'Fly-Client-IP: 203.0.113.7',
    'X-Remote-Addr: 203.0.113.7',
  ])('rejects requests that came through a proxy, with %s', async (header) => {
    for (const path of pages) {
      expect(await status(path, `127.0.0.1:${service.port}`, header), path).toBe(404)
    }
  })

  it('rejects HTTP/1.0, which nginx speaks to this service by default', async () => {
    const host = `127.0.0.1:${service.port}`
    expect(await status('/dev/mail.json', host, '', '1.0')).toBe(404)
    expect(await status('/dev/mail.json', host)).toBe(200)
  })
})
