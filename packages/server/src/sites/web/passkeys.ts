import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Challenge,
  challengeMs,
  type Passkeys,
} from '../../features/identity/passkeys/passkeys.ts'
import type { SiteSessions } from '../../features/identity/sessions/sessions.ts'
import type { Sealer } from '../../platform/crypto/seal.ts'
import { refusal } from '../../platform/errors.ts'
import { cookieAttributes, member } from './own-pages.ts'
import { goOnAs, handleOf, owe, signedOut, tokensFor } from './session.ts'

export type PasskeyOptions = {
  passkeys: Passkeys
  webSessions: SiteSessions
  sealer: Sealer
  now: () => Date
}
type Kind = 'sign-in' | 'confirm' | 'register'

const cookieName = '__Host-svc_passkey'
const belongsTo = (kind: Kind) => `passkey challenge: ${kind}`
/** Every signature costs a verification, and every registration an email. */
const limit = (per_minute: number) => ({ config: { per_minute } })

/**
 * The calls of our pages about passkeys. A challenge waits in a sealed cookie: it works in its own
 * browser only, and strangers cannot fill a table with them.
 */
export function servePasskeys(app: FastifyInstance, options: PasskeyOptions): void {
  const { passkeys, webSessions } = options
  const callerOf = async (request: FastifyRequest) => {
    const signIn = await webSessions.findSiteSession(handleOf(request))
    if (!signIn) throw signedOut()
    const [provider] = signIn.user.two_factor_auth
    if (signIn.session.second_factor_due) throw owesCode(provider ?? '')
    return signIn.principal
  }
  app.post('/session/passkey/options', limit(120), async (_request, reply) => {
    const requestOptions = await passkeys.startAssertion()
    keepChallenge(options, reply, 'sign-in', { challenge: requestOptions.challenge, user_id: null })
    return requestOptions
  })
  app.post('/session/passkey', limit(60), async (request, reply) => {
    const challenge = takeChallenge(options, request, reply, 'sign-in')
    const user_agent = request.headers['user-agent']
    const { handle, isCode } = await passkeys.verifyPasskey(
      challenge,
      responseIn(request),
      async (trx, user, isCode) => {
        // The authenticator verified its user: possession and knowledge, so no code is owed.
        const handle = isCode
          ? await webSessions.openSiteSession(trx, user.id, {
              user_agent,
              code_given_at: options.now(),
            })
          : await webSessions.openOwingSession(trx, user.id, { user_agent })
        return { handle, isCode }
      },
    )
    if (isCode) return goOnAs(webSessions, request, reply, handle)
    return {
      access_token: null,
      requires_2fa: null,
      owing: await owe(webSessions, request, reply, handle),
    }
  })
  app.post('/session/passkey/confirm/options', limit(120), async (request, reply) => {
    const signIn = await webSessions.findSiteSession(handleOf(request))
    if (!signIn) throw signedOut()
    const requestOptions = await passkeys.startAssertion()
    const user_id = signIn.user.id
    keepChallenge(options, reply, 'confirm', { challenge: requestOptions.challenge, user_id })
    return requestOptions
  })
  /** Confirms the signed-in account, in the place of a code. */
  app.post('/session/passkey/confirm', limit(60), async (request, reply) => {
    const handle = handleOf(request)
    const signIn = await webSessions.findSiteSession(handle)
    const challenge = takeChallenge(options, request, reply, 'confirm')
    if (signIn?.user.id !== challenge.user_id) throw signedOut()
    await passkeys.verifyPasskey(challenge, responseIn(request), (trx) =>
      webSessions.confirmSession(trx, handle),
    )
    return tokensFor(webSessions, handle)
  })
  app.get('/session/passkeys', async (request) => passkeys.listPasskeys(await callerOf(request)))
  app.post('/session/passkeys/options', limit(60), async (request, reply) => {
    const caller = await callerOf(request)
    const creationOptions = await passkeys.startRegistration(
      caller,
      member(request, 'current_password'),
    )
    const { user_id } = caller
    keepChallenge(options, reply, 'register', { challenge: creationOptions.challenge, user_id })
    return creationOptions
  })
  app.post('/session/passkeys', limit(60), async (request, reply) => {
    const caller = await callerOf(request)
    const challenge = takeChallenge(options, request, reply, 'register')
    const input = { response: responseIn(request), name: member(request, 'name') }
    return passkeys.registerPasskey(caller, challenge, input)
  })
  app.patch<{ Params: { id: string } }>('/session/passkeys/:id', limit(120), async (request) =>
    passkeys.renamePasskey(await callerOf(request), idIn(request), member(request, 'name')),
  )
  app.post<{ Params: { id: string } }>(
    '/session/passkeys/:id/confirm',
    limit(60),
    async (request) => passkeys.confirmPasskey(await callerOf(request), idIn(request)),
  )
  /** A POST, because the body carries the password: bodies of `DELETE` get lost. */
  app.post<{ Params: { id: string } }>(
    '/session/passkeys/:id/remove',
    limit(120),
    async (request) => {
      const password = member(request, 'current_password')
      await passkeys.removePasskey(await callerOf(request), idIn(request), password)
      return {}
    },
  )
}

const responseIn = ({ body }: FastifyRequest): unknown =>
  (body as { response?: unknown } | null | undefined)?.response

function idIn({ params }: { params: { id: string } }): string {
  if (!/^[0-9a-f-]{36}$/.test(params.id)) throw unknownChallenge()
  return params.id
}

function keepChallenge(
  { sealer, now }: PasskeyOptions,
  reply: FastifyReply,
  kind: Kind,
  challenge: Omit<Challenge, 'ends_at'>,
): void {
  const content: Challenge = { ...challenge, ends_at: now().getTime() + challengeMs }
  const sealedText = sealer.seal(JSON.stringify(content), belongsTo(kind))
  reply.setCookie(cookieName, sealedText, { ...cookieAttributes, maxAge: challengeMs / 1_000 })
}

/** A challenge of another kind does not open. */
function takeChallenge(
  { sealer, now }: PasskeyOptions,
  { cookies }: FastifyRequest,
  reply: FastifyReply,
  kind: Kind,
): Challenge {
  reply.clearCookie(cookieName, cookieAttributes)
  try {
    const text = sealer.open(cookies[cookieName] ?? '', belongsTo(kind)).toString()
    const challenge: Challenge = JSON.parse(text)
    if (challenge.ends_at > now().getTime()) return challenge
  } catch {
    // Missing, altered or of another kind.
  }
  throw unknownChallenge()
}

/** The page asks for the code, or for a passkey, and tries again. */
const owesCode = (provider: string) =>
  refusal('second_factor', 'two_factor_required', 'Enter a code of your second factor first.', {
    extra: { provider },
  })

const unknownChallenge = () =>
  refusal(
    'unauthenticated',
    'expired_challenge',
    'This took too long, or another window started over. Try again.',
  )
