import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestService, testService } from '../../../test/support/service.ts'
import type { Notifications } from '../../features/operations/notifications/index.ts'
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
  it('shows captured emails and text messages', async () => {
    const start = Date.now()
    const empty = await service.get('/dev/mail.json')
    const link = 'http://localhost:3000/auth/magic_link?refresh_token=abc'
    await transact(service.db, (trx) =>
      notifications.queueMail(trx, {
        to: 'u@example.com',
        template: 'magic_link',
        params: { link, valid_minutes: 10 },
      }),
    )
    await expect.poll(async () => (await listMails()).length).toBe(1)
    await transact(service.db, (trx) =>
      notifications.queueSms(trx, {
        to: '+14155550100',
        template: 'code',
        params: { code: '123456', valid_minutes: 5 },
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

  it.each([
    '/dev',
    '/dev/mail.json',
    '/dev/login',
    '/dev/callback',
    '/dev/wallet',
    '/dev/wallet.js',
  ])('rejects %s under a foreign host name', async (path) => {
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'evil.example' }
      request({ host: '127.0.0.1', port: service.port, path, headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(404)
  })
})
