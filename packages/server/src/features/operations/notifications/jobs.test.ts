import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts'
import { masterKey } from '../../../../test/support/own-keys.ts'
import { launchReady, newPlace, type ServiceProcess } from '../../../../test/support/process.ts'
import { type TestService, testService } from '../../../../test/support/service.ts'
import { type SmtpSink, smtpSink } from '../../../../test/support/smtp.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Notifications } from './index.ts'

const sealing = masterKey.toString('base64')
const mails = 4

let sink: SmtpSink
let database: TestDatabase
let place: Awaited<ReturnType<typeof newPlace>>
/** Queues emails; has no worker, so it sends none. */
let front: TestService
let notifications: Notifications
let killedWorker: ServiceProcess | undefined
/** The worker that runs after it. */
let worker: TestService | undefined

beforeAll(async () => {
  sink = await smtpSink()
  database = await testDatabase()
  place = await newPlace()
  front = await testService({
    databaseUrl: database.url,
    env: { MASTER_KEY: sealing, SMTP_URL: sink.url, SEED_DEMO: 'false' },
    override: (container) => {
      notifications = container.notifications
      return container
    },
  })
})
afterAll(async () => {
  killedWorker?.child.kill('SIGKILL')
  await killedWorker?.exited
  await front.close()
  await database.drop()
  await sink.close()
  await place.clear()
})

const workerEnv = () => ({
  ROLES: 'worker',
  MASTER_KEY: sealing,
  SMTP_URL: sink.url,
  SEED_DEMO: 'false',
})
const queue = (to: string) =>
  transact(front.db, (trx) =>
    notifications.queueMail(trx, {
      to,
      user_id: null,
      template: 'security_notice',
      params: { title: 'Hello', sentence: 'Hello.' },
    }),
  )

describe('a killed worker', () => {
  // R7: stress/account-mails.ts measures the delay.
  it('loses no email: each arrives at most twice, with the same Message-ID', async () => {
    const addresses = Array.from({ length: mails }, (_, n) => `n${n}@example.com`)
    sink.behave('take silently')
    killedWorker = await launchReady({
      ...place.env,
      DATABASE_URL: database.url,
      ...workerEnv(),
    })
    for (const address of addresses) await queue(address)
    await expect.poll(() => sink.received.length).toBeGreaterThan(0)
    killedWorker.child.kill('SIGKILL')
    await killedWorker.exited
    sink.behave('accept')
    worker = await testService({ databaseUrl: database.url, env: workerEnv() })
    const countMessages = async () =>
      (await front.db.selectFrom('messages').select('id').where('status', '=', 'sent').execute())
        .length
    await expect.poll(countMessages).toBe(mails)
    const idsOf = (address: string) =>
      sink.received
        .filter(({ envelope }) => envelope.to.includes(address))
        .map(({ mail }) => mail.messageId)

    for (const address of addresses) {
      expect(idsOf(address).length).toBeGreaterThan(0)
      expect(idsOf(address).length).toBeLessThanOrEqual(2)
      expect(new Set(idsOf(address)).size).toBe(1)
    }
    expect(sink.received.length).toBeGreaterThan(mails)
  })
})

describe('a worker', () => {
  it('stops while the mail server hangs', async () => {
    sink.behave('hang')
    const before = sink.connections()
    await queue('patient@example.com')
    await expect.poll(sink.connections).toBeGreaterThan(before)

    await worker?.close()
  })
})
