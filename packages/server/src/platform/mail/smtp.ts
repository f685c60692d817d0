import { createTransport } from 'nodemailer'
import { isPlainAddress } from './address.ts'
import { DeliveryError } from './delivery.ts'
import type { MailTransport } from './mail.ts'

type Options = { url: string; from: string; timeouts?: typeof smtpTimeouts }

export const smtpTimeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 10_000,
}

/** Sends emails through the server at `url`, each over a new connection: none goes stale. */
export function createSmtpTransport({
  url,
  from,
  timeouts = smtpTimeouts,
}: Options): MailTransport {
  const sender = /<([^<>]+)>$/.exec(from)?.[1] ?? from
  const domain = sender.slice(sender.lastIndexOf('@') + 1)
  const transport = createTransport({ url, ...timeouts })
  return {
    async send({ id, to, subject, text, html, at }) {
      // An explicit envelope is not enough: its addresses are parsed like a header.
      if (!isPlainAddress(to)) throw new DeliveryError('smtp recipient', true)
      try {
        await transport.sendMail({
          envelope: { from: sender, to: [to] },
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          date: at,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
      } catch (error) {
        throw explain(error as SmtpFault)
      }
    },
  }
}

type SmtpFault = {
  code?: string
  command?: string
  responseCode?: number
  response?: string
  permanent?: boolean
}

function explain({ code = 'unknown', command, responseCode, response, permanent }: SmtpFault) {
  const reason = ['smtp', code, ...(responseCode ? [responseCode] : [])].join(' ')
  const isAboutMessage = command === 'RCPT TO' || command === 'DATA'
  // 5.7: rejected by policy, such as missing authentication. The operator can fix that.
  const isPolicy = /^5\d\d[ -]5\.7\./.test(response ?? '')
  return new DeliveryError(reason, permanent === true && isAboutMessage && !isPolicy)
}
