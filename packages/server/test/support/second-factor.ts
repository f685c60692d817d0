import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Secret, TOTP } from 'otpauth'
import { callsWith, type Tokens } from './people.ts'
import type { TestService } from './service.ts'
import { waitUntil } from './wait.ts'

export type EnabledApp = {
  backup_codes: string[]
  ga_qr_code_svg: string
  ga_secret: string
  phone_last_digits: string | null
}
type Caller = Pick<ReturnType<typeof callsWith>, 'post'>

/** An authenticator app on the clock of the service. */
export function authenticator({ clock }: TestService, secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return {
    /** The current code, or the code this many 30 s steps later. */
    code: (steps = 0) => totp.generate({ timestamp: clock.now().getTime() + steps * 30_000 }),
    /** Waits for the next code, since each works once. */
    next() {
      clock.advance(30_000)
      return totp.generate({ timestamp: clock.now().getTime() })
    },
    /** Six digits that match no code near the current time. */
    wrong() {
      const near = [-3, -2, -1, 0, 1, 2, 3].map((steps) => this.code(steps))
      return ['111111', '222222', '333333', '444444', '555555', '666666', '777777', '888888'].find(
        (code) => !near.includes(code),
      ) as string
    },
  }
}

/** Prepares an authenticator app and confirms it. */
export async function enableApp(service: TestService, person: Caller) {
  const preparationAnswer = await person.post('/api/account/2fa/enable', {
    provider: 'AuthenticatorApp',
  })
  if (preparationAnswer.status !== 200)
    throw new Error(`Could not enable: ${preparationAnswer.body}`)
  const { ga_secret, backup_codes } = preparationAnswer.json<EnabledApp>()
  const app = authenticator(service, ga_secret)
  const confirmationAnswer = await person.post('/api/account/2fa/confirm', { code: app.code() })
  if (confirmationAnswer.status !== 200)
    throw new Error(`Could not confirm: ${confirmationAnswer.body}`)
  return { app, ga_secret, backup_codes }
}

export const sendCode = (service: TestService, { refresh_token }: Tokens, code: string) =>
  service.post('/api/auth/2fa', { refresh_token, code })

/** Enters a code and continues with the returned tokens. */
export async function enterCode(service: TestService, tokens: Tokens, code: string) {
  const answer = await sendCode(service, tokens, code)
  if (answer.status !== 200) throw new Error(`The code was refused: ${answer.body}`)
  const codeTokens = answer.json<Tokens>()
  return { tokens: codeTokens, ...callsWith(service, codeTokens) }
}

/** A text-message provider that speaks Twilio's Messages format. */
export async function smsSink() {
  const messages: { to: string; text: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const sentQuery = new URLSearchParams(body)
    messages.push({ to: sentQuery.get('To') ?? '', text: sentQuery.get('Body') ?? '' })
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"status":"queued"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const codesTo = (phone: string) =>
    messages
      .filter(({ to }) => to === phone)
      .map(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? `no code in: ${text}`)
  return {
    url: `http://AC1:secret@127.0.0.1:${port}/Messages.json?From=%2B15550001`,
    codesTo,
    /** The latest code to a phone, once this many arrived. */
    async codeTo(phone: string, count = 1): Promise<string> {
      const hasCome = () => codesTo(phone).length >= count
      await waitUntil(() => hasCome() || `${codesTo(phone).length} messages to ${phone} so far`)
      return codesTo(phone)[count - 1] as string
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
