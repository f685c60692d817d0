import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { launchReady, place, type ServiceProcess } from '../../../test/support/process.ts'
import { type TestService, testService } from '../../../test/support/service.ts'
import { type SmtpSink, smtpSink } from '../../../test/support/smtp.ts'
import { transact } from '../../platform/database/database.ts'
import type { Notifications } from './index.ts'

const masterKey = Buffer.alloc(32, 7).toString('base64')
const mails = 20

let sink: SmtpSink
let database: TestDatabase
let here: Awaited<ReturnType<typeof place>>
/** Queues and sends nothing: it is no worker. */
let front: TestService
let notifications: Notifications
const running: ServiceProcess[] = []

beforeAll(async () => {
  sink = await smtpSink()
  database = await testDatabase()
  here = await place()
  front = await testService({
    databaseUrl: database.url,
    env: { MASTER_KEY: masterKey, SMTP_URL: sink.url },
    override: (container) => {
      notifications = container.notifications
      return container
    },
  })
})
afterEach(async () => {
  for (const { child, exited } of running.splice(0)) {
    child.kill('SIGKILL')
    await exited
  }
})
afterAll(async () => {
  await front.close()
  await database.drop()
  await sink.close()
  await here.clear()
})

async function startWorkerProcess() {
  const process = await launchReady({
    ...here.env,
    ...{ DATABASE_URL: database.url, ROLES: 'worker' },
    ...{ MASTER_KEY: masterKey, SMTP_URL: sink.url },
  })
  running.push(process)
  return process
}

const queue = (to: string) =>
  transact(front.db, (trx) =>
    notifications.queueMail(trx, {
      ...{ to, template: 'security_notice', params: { title: 'Hello', sentence: 'Hello.' } },
    }),
  )

describe('kill −9 between the commit and the mail server', () => {
  it('loses no mail: each arrives within 10 s of the restart, at most twice, as the same mail', {
    timeout: 60_000,
  }, async () => {
    const addresses = Array.from({ length: mails }, (_, n) => `n${n}@example.com`)
    sink.behave('take silently')
    const first = await startWorkerProcess()
    for (const address of addresses) await queue(address)
    await expect.poll(() => sink.received.length, { timeout: 10_000 }).toBeGreaterThan(0)
    first.child.kill('SIGKILL')
    await first.exited
    sink.behave('accept')
    const restarted = Date.now()
    await startWorkerProcess()
    const sent = async () =>
      (await front.db.selectFrom('messages').select('id').where('status', '=', 'sent').execute())
        .length
    await expect.poll(sent, { timeout: 10_000, interval: 50 }).toBe(mails)
    const took = Date.now() - restarted
    const idsOf = (address: string) =>
      sink.received
        .filter(({ envelope }) => envelope.to.includes(address))
        .map(({ mail }) => mail.messageId)

    expect(took).toBeLessThan(10_000)
    for (const address of addresses) {
      expect(idsOf(address).length).toBeGreaterThan(0)
      expect(idsOf(address).length).toBeLessThanOrEqual(2)
      expect(new Set(idsOf(address)).size).toBe(1)
    }
    expect(sink.received.length).toBeGreaterThan(mails)
  })

  it('is no reason to wait either when the worker is asked to stop while the server hangs', {
    timeout: 40_000,
  }, async () => {
    sink.behave('hang')
    const first = await startWorkerProcess()
    const before = sink.connections()
    await queue('patient@example.com')
    await expect.poll(sink.connections, { timeout: 10_000 }).toBeGreaterThan(before)
    const asked = Date.now()
    first.child.kill('SIGTERM')
    const code = await first.exited

    expect(code).toBe(0)
    expect(Date.now() - asked).toBeLessThan(10_000)
  })
})
