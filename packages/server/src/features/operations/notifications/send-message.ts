import { DeliveryError } from '../../../platform/mail/delivery.ts'
import { sealContext, tooLate } from './keep-messages.ts'
import type { Deps } from './notifications.ts'
import * as messages from './repository.ts'

/** Throws if a later attempt may succeed; then the job is retried. */
export async function sendMessage(deps: Deps, id: string): Promise<void> {
  const { db, now, log } = deps
  const message = await messages.beginAttempt(db, id)
  if (!message?.sealed) return
  const end = (status: 'sent' | 'failed', last_error: string | null = null) =>
    messages.finish(db, id, { status, last_error, finished_at: now() })
  const giveUp = (reason: string) => {
    log.warn({ message: id, channel: message.channel, reason }, 'Gave up on a message')
    return end('failed', reason)
  }
  if (now() > message.give_up_at) return giveUp(tooLate)
  try {
    await deliverMessage(deps, id, message.channel, message.sealed, message.created_at)
  } catch (error) {
    const { reason, isFinal } = DeliveryError.from(error)
    if (isFinal) return giveUp(reason)
    await messages.noteFault(db, id, reason)
    throw error
  }
  return end('sent')
}

async function deliverMessage(
  { sealer, transports }: Deps,
  id: string,
  channel: 'mail' | 'sms',
  sealedText: string,
  at: Date,
) {
  const content = JSON.parse(sealer.open(sealedText, sealContext(id)).toString())
  if (channel === 'mail') return transports.mail.send({ id, at, ...content })
  if (!transports.sms) throw new DeliveryError('sms_unavailable')
  return transports.sms.send({ id, at, ...content })
}
