import { expect, it } from 'vitest'
import { testService } from '../../../../test/support/service.ts'
import { smtpSink } from '../../../../test/support/smtp.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Notifications } from './index.ts'

// R7: stress/account-mails.ts kills workers between the commit and the mail server.
it('a worker stops while the mail server hangs', async () => {
  const sink = await smtpSink()
  let notifications: Notifications | undefined
  const service = await testService({
    env: { ROLES: 'worker', SMTP_URL: sink.url },
    override: (container) => {
      notifications = container.notifications
      return container
    },
  })
  sink.behave('hang')
  await transact(service.db, async (trx) =>
    notifications?.queueMail(trx, {
      to: 'patient@example.com',
      user_id: null,
      template: 'security_notice',
      params: { title: 'Hello', sentence: 'Hello.' },
    }),
  )
  await expect.poll(sink.connections).toBeGreaterThan(0)

  await service.close()
  await sink.close()
})
