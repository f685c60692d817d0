import { randomUUID } from 'node:crypto'
import type { EmojiId } from '@emojid/core'
import type { KeyRing, ReadClaims } from '../../platform/crypto/key-ring.ts'
import * as refresh from '../../platform/crypto/refresh-tokens.ts'
import { transact } from '../../platform/database/database.ts'
import type { Prepare } from '../../platform/database/prepared.ts'
import { withQuery } from '../../platform/http/with-query.ts'
import { isUuid } from '../../platform/uuid.ts'
import type { Database, Transaction } from '../../tables.ts'
import { InvalidTokenError, lacksSecondFactor, type Principal } from '../access/index.ts'
import type { Accounts, User } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import { type EmojiIds, readEmojiId } from '../emoji-ids/index.ts'
import type { OauthClient, OauthClients } from '../oauth-clients/index.ts'
import type { Sessions } from '../sessions/index.ts'
import * as grants from './repository.ts'
import * as rules from './rules.ts'
import type { ApplicationTokens } from './schema.ts'

export type Oauth = ReturnType<typeof createOauth>
export type AuthorizationRequest = {
  client: OauthClient
  redirect_uri: string
  state: string | undefined
  code_challenge: string | undefined
  /** The id that was chosen, as it came. */
  svc: string | undefined
}
type Grant = grants.Grant
type Exchange = { code: string; redirect_uri: string; code_verifier: string | undefined }

type Options = {
  db: Database
  prepare: Prepare
  accounts: Accounts
  emojiIds: EmojiIds
  oauthClients: OauthClients
  sessions: Sessions
  audit: Audit
  keyRing: KeyRing
  /** From which refresh tokens follow one another. */
  successionKey: Buffer
  /** Whether administrators do nothing without a second factor. */
  operatorsNeedCodes: boolean
  now: () => Date
  issuer: string
  audience: string
}

const tokens = refresh.tokensNamed('rs')
const noScopes: ReadonlySet<never> = new Set()

/** Logging in at applications with an emoji id: codes, and what they are exchanged for. */
export function createOauth(options: Options) {
  const { db, prepare, accounts, emojiIds, oauthClients, sessions, audit, keyRing, now } = options
  const { successionKey, operatorsNeedCodes, issuer, audience } = options
  const findGrant = grants.findGrant(prepare)
  /** Applications that know them are to know nobody: the account was somebody else's, or is gone. */
  const forgetAll = async (trx: Transaction, user_id: string) => {
    await grants.endOf(trx, user_id, now())
    await grants.voidCodes(trx, user_id)
    await grants.forgetSubjects(trx, user_id)
  }
  accounts.beforeDeletion(forgetAll)
  accounts.whenDisowned(forgetAll)
  accounts.whenRevoked(async (trx, user_id) => {
    await grants.endOf(trx, user_id, now())
    await grants.voidCodes(trx, user_id)
  })

  const accessToken = async (grant: Grant): Promise<string> => {
    const issued = now()
    const iat = Math.floor(issued.getTime() / 1_000)
    const { client_id, user_id, emoji_id, epoch } = grant
    const sub = await grants.subjectOf(db, client_id, user_id)
    return keyRing.sign('at+jwt', {
      iss: issuer,
      aud: audience,
      sub,
      iat,
      jti: randomUUID(),
      sid: grant.id,
      exp: iat + rules.accessLastsMs / 1_000,
      type: 'SvcAccessToken',
      client_id,
      svc: emoji_id,
      scope: 'svc',
      scopes: [],
      issued: issued.toISOString(),
      epoch,
      active2fa: false,
    })
  }
  const answer = async (grant: Grant, refresh_token: string): Promise<ApplicationTokens> => ({
    access_token: await accessToken(grant),
    refresh_token,
    token_type: 'Bearer',
    type: 'SvcAccessToken',
    scope: 'svc',
    expires_in: rules.accessLastsMs / 1_000,
  })
  const keepToken = (trx: Transaction, token: string, grant: Grant) =>
    grants.insertToken(trx, {
      token_sha256: refresh.hashOf(token),
      grant_id: grant.id,
      created_at: now(),
      expires_at: refresh.tokenEnd(now(), grant),
      rotated_at: null,
    })
  const noteEnd = (trx: Transaction, user_id: string, details: Record<string, string>) =>
    audit.note(trx, 'application.left', { actor_id: user_id, details })

  /** An operator who has to set up a second factor first. */
  const isHeldUp = (who: Parameters<typeof lacksSecondFactor>[0]): boolean =>
    operatorsNeedCodes && lacksSecondFactor(who)

  /** Still there, as they were, and still the owner. */
  const isStillSo = async (
    trx: Transaction,
    { user_id, emoji_id, epoch }: Pick<Grant, 'user_id' | 'emoji_id' | 'epoch'>,
  ): Promise<boolean> => {
    const user = await accounts.find(user_id, trx)
    const owned = await emojiIds.ownersOf(trx, [emoji_id as EmojiId])
    const isSame = user !== undefined && !user.deactivated_at && user.epoch === epoch
    if (user && isHeldUp({ role: user.role, provider: user.two_factor_auth[0] ?? null }))
      return false
    return isSame && owned.get(emoji_id as EmojiId)?.user_id === user_id
  }
  /** Whoever comes twice with what works once has it from somebody else: then nothing of it works. */
  const endReused = async (trx: Transaction, grant_id: string | null, client_id: string) => {
    const ended = grant_id && (await grants.end(trx, grant_id, client_id, now()))
    if (!ended) return
    const details = { client_id, grant: grant_id }
    const noted = { actor_id: ended.user_id, result: 'refused' as const, details }
    await audit.note(trx, 'application.reused', noted)
  }

  /** Which grant an access token is of, whether or not that is still open. */
  const readClaims = ({ sid, client_id }: ReadClaims) =>
    isUuid(sid) && typeof client_id === 'string' ? { sid, client_id } : undefined

  sessions.alsoVerify('SvcAccessToken', async (claims): Promise<Principal> => {
    const told = readClaims(claims)
    const [grant] = told ? await findGrant([told.sid, now()]) : []
    if (!grant || grant.client_id !== told?.client_id) throw new InvalidTokenError()
    if (isHeldUp(grant)) throw new InvalidTokenError()
    return {
      kind: 'application',
      user_id: grant.user_id,
      emoji_id: grant.emoji_id,
      role: 'User',
      scopes: noScopes,
      memberships: new Map(),
      session_id: null,
      expires_at: null,
      linked_at: null,
      second_factor: null,
      isRecentLogin: false,
      lacksSecondFactor: false,
    }
  })

  const findOwn = async (user: User, text: string) => {
    const id = readIfId(text)
    const owned = id && (await emojiIds.find(id))
    if (!owned) return { problem: unregistered }
    return owned.user_id === user.id ? { owned } : { problem: notTheirs }
  }

  return {
    /** What an application sent a browser with. What is wrong with it is told where it may be. */
    async read(sent: rules.Query) {
      // What is empty counts as absent (RFC 6749 section 3.1).
      const query = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== ''))
      const client_id = rules.text(query['client_id'])
      const client = client_id ? await oauthClients.find(client_id) : undefined
      const problem = rules.problemOf(query, client)
      const optional = (name: string) => rules.text(query[name]) || undefined
      const request: AuthorizationRequest = {
        client: client as OauthClient,
        redirect_uri: rules.text(query['redirect_uri']),
        state: optional('state'),
        code_challenge: optional('code_challenge'),
        svc: optional('svc'),
      }
      return { request, problem }
    },

    /** Where the browser goes with bad news for the application. */
    refuse: ({ redirect_uri, state }: AuthorizationRequest, problem: rules.Problem) =>
      withQuery(redirect_uri, { ...problem, state, iss: issuer }),

    /** Where it waits while a mail is on its way. */
    pending: ({ redirect_uri, state }: AuthorizationRequest) =>
      withQuery(redirect_uri, { status: 'pending_magic_link', state }),

    /** Whether the user lets this application see this id already. */
    async isGranted({ client }: AuthorizationRequest, user_id: string, svc: string) {
      const id = readIfId(svc)
      const open = await grants.findOpen(db, user_id, now())
      return open.some(({ client_id, emoji_id }) => client_id === client.id && emoji_id === id)
    },

    /** What hinders the user from choosing an id, if anything. */
    whyNot: async (user: User, chosen: string) => (await findOwn(user, chosen)).problem,

    /** Where the browser goes after the user has chosen: with a code, if it is their id. */
    async choose(request: AuthorizationRequest, user: User, chosen: string): Promise<string> {
      const { client, redirect_uri, state, code_challenge } = request
      const { owned, problem } = await findOwn(user, chosen)
      if (!owned) return this.refuse(request, problem)
      const at = now()
      const jti = randomUUID()
      const iat = Math.floor(at.getTime() / 1_000)
      const sub = await transact(db, async (trx) => {
        const expires_at = new Date(at.getTime() + rules.codeLastsMs)
        const { id: user_id, epoch } = user
        const given = { id: jti, client_id: client.id, user_id, epoch, expires_at }
        await grants.insertCode(trx, { ...given, used_at: null, grant_id: null })
        const details = { client_id: client.id, emoji_id: owned.emoji_id }
        await audit.note(trx, 'application.authorized', { actor_id: user.id, details })
        return grants.subjectOf(trx, client.id, user.id)
      })
      const code = await keyRing.sign('code+jwt', {
        iss: issuer,
        aud: issuer,
        sub,
        iat,
        exp: iat + rules.codeLastsMs / 1_000,
        jti,
        client_id: client.id,
        redirect_uri,
        svc: owned.emoji_id,
        ...(code_challenge === undefined ? {} : { code_challenge }),
      })
      return withQuery(redirect_uri, { code, state, iss: issuer })
    },

    async exchange(client: OauthClient, { code, redirect_uri, code_verifier }: Exchange) {
      // Whether it is too old is told by its row: one that comes twice is noticed even then.
      const expected = { typ: 'code+jwt', issuer, audience: issuer, now: new Date(0) } as const
      const claims = await keyRing.verify(code, expected)
      const { jti = '', svc, code_challenge } = claims ?? {}
      const isTheirs =
        claims?.['client_id'] === client.id && claims['redirect_uri'] === redirect_uri
      if (!isTheirs || !isUuid(jti) || !rules.isVerified(code_challenge, code_verifier)) {
        throw new rules.InvalidGrantError()
      }
      const made = await transact(db, async (trx) => {
        const at = now()
        const kept = await grants.findCode(trx, jti)
        if (kept?.used_at) return endReused(trx, kept.grant_id, client.id)
        if (!kept || kept.expires_at <= at) return undefined
        const { user_id, epoch } = kept
        const told = { user_id, epoch, emoji_id: String(svc) }
        if (!(await isStillSo(trx, told))) return undefined
        const grant = await grants.insertGrant(trx, {
          ...told,
          client_id: client.id,
          created_at: at,
          last_used_at: at,
          expires_at: refresh.chainEnd(at),
          ended_at: null,
        })
        await grants.useCode(trx, jti, grant.id, at)
        const token = tokens.make()
        await keepToken(trx, token, grant)
        const details = { client_id: client.id, emoji_id: grant.emoji_id }
        await audit.note(trx, 'login.application', { actor_id: grant.user_id, details })
        return { grant, token }
      })
      if (!made) throw new rules.InvalidGrantError()
      return answer(made.grant, made.token)
    },

    async refresh(client: OauthClient, token: string) {
      if (!tokens.is(token)) throw new rules.InvalidGrantError()
      const outcome = await transact(db, async (trx) => {
        const at = now()
        const found = await grants.findToken(trx, refresh.hashOf(token))
        if (!found || found.client_id !== client.id || found.ended_at) return undefined
        if (found.token_expires_at <= at) return undefined
        if (found.rotated_at && !refresh.isWithinGrace(found.rotated_at, at)) {
          return endReused(trx, found.id, client.id)
        }
        if (!(await isStillSo(trx, found))) return undefined
        const successor = tokens.successorOf(token, successionKey)
        if (!found.rotated_at) {
          await grants.rotate(trx, refresh.hashOf(token), at)
          await keepToken(trx, successor, found)
          await grants.touch(trx, found.id, at)
        }
        return { grant: found, successor }
      })
      if (!outcome) throw new rules.InvalidGrantError()
      return answer(outcome.grant, outcome.successor)
    },

    /** The application is done with it. Whatever is not its own is left alone, without a word. */
    async revoke(client: OauthClient, token: string): Promise<void> {
      const expected = { typ: 'at+jwt', issuer, audience, now: now() } as const
      const claims = tokens.is(token) ? undefined : await keyRing.verify(token, expected)
      await transact(db, async (trx) => {
        const grant_id = tokens.is(token)
          ? (await grants.findToken(trx, refresh.hashOf(token)))?.id
          : readClaims(claims ?? {})?.sid
        const ended = grant_id && (await grants.end(trx, grant_id, client.id, now()))
        if (ended) await noteEnd(trx, ended.user_id, { client_id: client.id, by: 'application' })
      })
    },

    /** Each once, however often they logged in there. */
    async applications({ user_id }: Principal) {
      const open = await grants.findOpen(db, user_id, now())
      return rules.latestOfEach(open)
    },

    /** The user wants an application to see nothing any more. */
    async leave({ user_id }: Principal, client_id: string): Promise<void> {
      await transact(db, async (trx) => {
        await grants.voidCodes(trx, user_id, client_id)
        const ended = await grants.endOf(trx, user_id, now(), client_id)
        if (ended.length === 0) throw new rules.UnknownApplicationError()
        await noteEnd(trx, user_id, { client_id, by: 'user' })
      })
    },

    purge: () => grants.forgetBefore(db, new Date(now().getTime() - 24 * 60 * 60_000)),
  }
}

const unregistered: rules.Problem = {
  error: 'invalid_request',
  error_description: 'svc is no emoji id that anybody has.',
}
const notTheirs: rules.Problem = {
  error: 'access_denied',
  error_description: 'This emoji id belongs to somebody else.',
}

function readIfId(text: string): EmojiId | undefined {
  try {
    return readEmojiId(text)
  } catch {
    return undefined
  }
}
