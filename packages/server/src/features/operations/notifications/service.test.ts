import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { masterKey } from '../../../../test/support/own-keys.ts'
import { type TestService, testService } from '../../../../test/support/service.ts'
import { type SmtpSink, smtpSink } from '../../../../test/support/smtp.ts'
import { createSealer } from '../../../platform/crypto/seal.ts'
import { transact } from '../../../platform/database/database.ts'
import { noLinks } from '../../../platform/http/pages/links.ts'
import { createLog } from '../../../platform/log/log.ts'
import { dayMs } from '../../../platform/time.ts'
import {
  createNotifications,
  type Mail,
  type Notifications,
  purgeMessages,
  type Sms,
} from './notifications.ts'

const link = 'https://auth.example.com/magic_link?refresh_token=topsecret-token'
const letter = {
  subject: 'Your sign-in link',
  before: 'Here is your link to sign in.',
  link: { label: 'Sign in', url: link },
  after: 'It works once.',
}
const mailTo = (to: string): Mail => ({ to, kind: 'magic_link', silent: true, letter })

let sink: SmtpSink
let service: TestService
let notifications: Notifications

beforeAll(async () => {
  sink = await smtpSink()
  service = await testService({
    env: {
      ROLES: 'worker',
      SMTP_URL: sink.url,
      MAIL_FROM: 'Emoji Ids <no-reply@ids.example>',
      MASTER_KEY: masterKey.toString('base64'),
    },
    override: (container) => {
      notifications = container.notifications
      return container
    },
  })
})
afterAll(async () => {
  await service.close()
  await sink.close()
})
afterEach(async () => {
  sink.behave('accept')
  await sql`delete from graphile_worker._private_jobs where locked_at is null`.execute(service.db)
  await service.db.deleteFrom('messages').execute()
})

const queue = (mail: Mail) => transact(service.db, (trx) => notifications.queueMail(trx, mail))
const rows = () => service.db.selectFrom('messages').selectAll().execute()
const arrivedFor = (address: string) =>
  sink.received.filter(({ envelope }) => envelope.to.includes(address))
const arrives = (address: string) =>
  expect.poll(() => arrivedFor(address).length).toBeGreaterThan(0)
const isTried = () => expect.poll(async () => (await rows())[0]?.last_error).toBeTruthy()

/** Makes all waiting jobs due now. */
const hurry = () =>
  sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(
    service.db,
  )

/** All stored data about messages, as one text. */
async function dump() {
  const messages = await sql`select t::text as row from messages t`.execute(service.db)
  const jobs = await sql`select t::text as row from graphile_worker._private_jobs t`.execute(
    service.db,
  )
  return JSON.stringify([messages.rows, jobs.rows])
}

describe('a queued mail', () => {
  it('arrives as text and HTML at exactly its recipient', async () => {
    await queue(mailTo('First.Last@example.com'))
    await arrives('First.Last@example.com')
    const [{ envelope, mail, raw } = raise()] = arrivedFor('First.Last@example.com')

    expect(envelope).toEqual({ from: 'no-reply@ids.example', to: ['First.Last@example.com'] })
    expect(mail.from).toMatchObject({ name: 'Emoji Ids', address: 'no-reply@ids.example' })
    expect(mail.to).toMatchObject([{ address: 'First.Last@example.com' }])
    expect(mail.subject).toBe('Your sign-in link')
    expect(mail.text).toContain(`\n${link}\n`)
    expect(mail.html).toContain(`href="${link}"`)
    expect(mail.messageId).toMatch(/^<[0-9a-f-]{36}@ids\.example>$/)
    expect(raw).toMatch(/^auto-submitted: auto-generated\r$/im)
    expect(raw).toMatch(/content-type: multipart\/alternative/i)
  })

  it('a queued mail is sealed at rest and removed once it is sent', async () => {
    sink.behave('defer')
    await queue(mailTo('sealed@example.com'))
    await isTried()
    const [waitingDump, before] = [await dump(), await rows()]
    sink.behave('accept')
    await hurry()
    await arrives('sealed@example.com')
    await expect.poll(async () => (await rows())[0]?.status).toBe('sent')
    const [after] = await rows()

    expect(before).toMatchObject([{ status: 'queued', last_error: 'smtp EENVELOPE 451' }])
    expect(before[0]?.sealed).toMatch(/^v1\./)
    expect(after?.sealed).toBeNull()
    for (const text of [waitingDump, await dump(), service.logged.join()]) {
      expect(text).not.toMatch(/sealed@|example\.com|topsecret|Try again later/)
    }
  })

  it('a queued mail is not sent if its transaction is rolled back', async () => {
    await transact(service.db, async (trx) => {
      await notifications.queueMail(trx, mailTo('never@example.com'))
      throw new Error('rolled back')
    }).catch(() => {})
    await queue(mailTo('afterwards@example.com'))
    await arrives('afterwards@example.com')

    expect(arrivedFor('never@example.com')).toEqual([])
    expect(await rows()).toHaveLength(1)
  })

  it('a queued mail is retried while the mail server is down', async () => {
    await sink.down()
    await queue(mailTo('patient@example.com'))
    await isTried()
    const [waitingMail] = await rows()
    await sink.up()
    await hurry()
    await arrives('patient@example.com')

    expect(waitingMail).toMatchObject({ status: 'queued', last_error: 'smtp ESOCKET' })
  })

  it('keeps its Message-ID in a retry', async () => {
    sink.behave('take silently')
    await queue(mailTo('twice@example.com'))
    await arrives('twice@example.com')
    sink.behave('accept')
    await sink.down()
    await sink.up()
    await expect
      .poll(async () => [await hurry(), arrivedFor('twice@example.com').length][1])
      .toBeGreaterThan(1)
    const ids = arrivedFor('twice@example.com').map(({ mail }) => mail.messageId)

    expect(new Set(ids).size).toBe(1)
    await expect.poll(async () => (await rows())[0]?.status).toBe('sent')
  })

  it('fails without retry if the recipient does not exist, and its content is removed', async () => {
    sink.behave('refuse')
    await queue(mailTo('unknown@example.com'))
    await expect.poll(async () => (await rows())[0]?.status).toBe('failed')

    expect(await rows()).toMatchObject([{ sealed: null, last_error: 'smtp EENVELOPE 550' }])
  })

  it('a queued mail is retried if the mail server refuses the sender', async () => {
    sink.behave('deny')
    await queue(mailTo('later@example.com'))
    await isTried()
    expect(await rows()).toMatchObject([{ status: 'queued', last_error: 'smtp EENVELOPE 550' }])
  })

  it('a queued mail is retried for more than a day and fails after three', async () => {
    sink.behave('defer')
    await queue(mailTo('slow@example.com'))
    await isTried()
    const [{ id } = raise()] = await rows()
    service.clock.advance(2 * dayMs)
    await expect(notifications.sendMessage(id)).rejects.toThrow('not delivered: smtp EENVELOPE 451')
    await purgeMessages(service.db, service.clock.now())
    const [second] = await rows()
    service.clock.advance(1.1 * dayMs)
    await notifications.sendMessage(id)
    const [third] = await rows()
    service.clock.advance(31 * dayMs)
    await purgeMessages(service.db, service.clock.now())

    expect(second?.status).toBe('queued')
    expect(third).toMatchObject({ status: 'failed', sealed: null, last_error: 'too_late' })
    expect(await rows()).toEqual([])
  })

  it('fails after its job was lost', async () => {
    sink.behave('defer')
    await queue(mailTo('lost@example.com'))
    await isTried()
    service.clock.advance(4 * dayMs)
    await purgeMessages(service.db, service.clock.now())
    expect(await rows()).toMatchObject([{ status: 'failed', sealed: null }])
  })
})

describe('a recipient that is not one plain address', () => {
  it.each([
    'victim@x.com\r\nBcc: evil@y.z',
    'a@x.com,evil@y.z',
    '"a" <evil@y.z>',
    'g:evil@y.z;',
    `evil@${'y'.repeat(250)}.z`,
  ])(
    'a recipient that is not one plain address is rejected before anything is queued: %j',
    async (to) => {
      await expect(queue(mailTo(to))).rejects.toMatchObject({ code: 'invalid_mail_address' })
      expect(await rows()).toEqual([])
      expect(sink.received.some(({ raw }) => raw.includes('evil'))).toBe(false)
    },
  )
})

describe('text messages', () => {
  it('text messages are refused without an SMS transport', async () => {
    const bareNotifications = createNotifications({
      db: service.db,
      sealer: createSealer([Buffer.alloc(32)]),
      transports: { mail: { send: async () => {} } },
      links: noLinks,
      now: () => new Date(),
      log: createLog('silent'),
    })
    const sms: Sms = { to: '+14155550100', kind: 'code', text: '123456', valid_minutes: 5 }
    const queued = transact(service.db, (trx) => bareNotifications.queueSms(trx, sms))

    expect(bareNotifications.canSendSms).toBe(false)
    await expect(queued).rejects.toMatchObject({ code: 'unavailable_sms' })
  })
})

// R7: stress/account-mails.ts kills workers between the commit and the mail server.
it('a worker stops while the mail server hangs', async () => {
  const silentSink = await smtpSink()
  let queueMail: Notifications['queueMail'] | undefined
  const worker = await testService({
    env: { ROLES: 'worker', SMTP_URL: silentSink.url },
    override: (container) => {
      queueMail = container.notifications.queueMail
      return container
    },
  })
  silentSink.behave('hang')
  await transact(worker.db, async (trx) => queueMail?.(trx, mailTo('patient@example.com')))
  await expect.poll(silentSink.connections).toBeGreaterThan(0)

  await worker.close()
  await silentSink.close()
})

function raise(): never {
  throw new Error('Missing value')
}
