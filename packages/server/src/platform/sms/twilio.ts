import { DeliveryError } from '../mail/delivery.ts'
import type { SmsTransport } from './sms.ts'

const timeoutMs = 10_000
/** The connection broke after the request was sent. */
const brokenCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'])
/** Refusals because of our account or the moment, not because of the message. */
const passing = new Set([401, 403, 404, 408, 409, 425, 429])

/**
 * Posts to an address that takes Twilio's Messages format. The address carries the account as user
 * and password, and the sender as `From`: https://SID:TOKEN@host/path?From=%2B15550100.
 */
export function createTwilioTransport(address: string): SmsTransport {
  const url = new URL(address)
  const sender = url.searchParams.get('From')
  if (!sender) throw new Error('SMS_URL names no sender. Add ?From= and the number, + as %2B.')
  const account = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const authorization = `Basic ${Buffer.from(account).toString('base64')}`
  url.searchParams.delete('From')
  url.username = ''
  url.password = ''

  return {
    async send({ to, text }) {
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: { authorization },
        body: new URLSearchParams({ To: to, From: sender, Body: text }),
        signal: AbortSignal.timeout(timeoutMs),
      }).catch((error) => {
        // The provider may have sent it, and has no idempotency key: a retry could send and cost twice.
        if (isUnanswered(error)) throw new DeliveryError('sms unanswered', true)
        throw new DeliveryError('sms unreachable')
      })
      await answer.body?.cancel()
      if (answer.ok) return
      const { status } = answer
      const isFinal = status >= 400 && status < 500 && !passing.has(status)
      throw new DeliveryError(`sms ${status}`, isFinal)
    },
  }
}

function isUnanswered(error: Error & { cause?: { code?: string } }): boolean {
  return error.name === 'TimeoutError' || brokenCodes.has(error.cause?.code ?? '')
}
