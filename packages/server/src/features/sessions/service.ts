import { randomUUID } from 'node:crypto'
import type { KeyRing, ReadClaims } from '../../platform/crypto/key-ring.ts'
import { hashOf, isWithinGrace } from '../../platform/crypto/refresh-tokens.ts'
import { transact } from '../../platform/database/database.ts'
import type { Prepare } from '../../platform/database/prepared.ts'
import { isUuid } from '../../platform/uuid.ts'
import type { Database, Transaction } from '../../tables.ts'
import {
  InvalidTokenError,
  lacksSecondFactor,
  type Principal,
  scopesOfRole,
} from '../access/index.ts'
import type { Accounts, User } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Recovery } from '../recovery/index.ts'
import type { SecondFactor } from '../two-factor/index.ts'
import * as sessions from './repository.ts'
import * as rules from './rules.ts'
import type { TokenAnswer } from './schema.ts'
import type { SessionKind } from './table.ts'

export type Sessions = ReturnType<typeof createSessions>

type Options = {
  db: Database
  prepare: Prepare
  accounts: Accounts
  audit: Audit
  keyRing: KeyRing
  secondFactor: SecondFactor
  recovery: Recovery
  /** How long a code counts as given lately. */
  graceMs: number
  /** From which refresh tokens follow one another. */
  successionKey: Buffer
  /** Whether administrators do nothing without a second factor. */
  operatorsNeedCodes: boolean
  now: () => Date
  /** Who issues tokens, and for whom they are. */
  issuer: string
  audience: string
}

type Session = { id: string; second_factor_due: boolean }
export type Device = {
  user_agent: string | undefined
  linked_at?: Date
  /** Goes on from a session that began with a login then. */
  logged_in_at?: Date
  /** Goes on from a session in which a code was given. */
  code_given_at?: Date
  /** Ends with that session. */
  parent?: { id: string; expires_at: Date }
  /** Ends then at the latest. */
  ends_at?: Date
}

/** The scopes of a token whose session still owes a code. */
const owing = ['auth:twoFactor', 'token:refresh']
const owesCode = (user: User, { code_given_at }: Device): boolean =>
  user.two_factor_auth.length > 0 && code_given_at === undefined

const noScopes: ReadonlySet<never> = new Set()

export function createSessions(options: Options) {
  const { db, prepare, accounts, audit, keyRing, successionKey, now, issuer, audience } = options
  const { secondFactor, recovery, graceMs, operatorsNeedCodes } = options
  const findCaller = sessions.findCaller(prepare)
  accounts.beforeDeletion(sessions.removeAll)
  const otherKinds = new Map<string, (claims: ReadClaims) => Promise<Principal>>()

  const accessToken = (user: User, session: Session): Promise<string> => {
    const issued = now()
    const iat = Math.floor(issued.getTime() / 1_000)
    return keyRing.sign('at+jwt', {
      iss: issuer,
      aud: audience,
      sub: user.id,
      iat,
      jti: randomUUID(),
      sid: session.id,
      exp: iat + rules.accessLastsMs / 1_000,
      type: 'AccessToken',
      client_id: null,
      issued: issued.toISOString(),
      epoch: user.epoch,
      active2fa: user.two_factor_auth.length > 0 && !session.second_factor_due,
      scopes: session.second_factor_due ? owing : [...scopesOfRole(user.role)],
    })
  }
  const answer = async (
    user: User,
    session: Session,
    refresh_token: string,
  ): Promise<TokenAnswer> => ({
    access_token: await accessToken(user, session),
    refresh_token,
    has_password: user.password_hash !== null,
    requires_2fa: session.second_factor_due ? (user.two_factor_auth[0] ?? null) : null,
  })
  type Kept = { id: string; kind: SessionKind; expires_at: Date }
  const keepToken = (trx: Transaction, token: string, session: Kept) =>
    sessions.insertToken(trx, {
      token_sha256: hashOf(token),
      session_id: session.id,
      created_at: now(),
      expires_at: rules.tokenEnd(now(), session),
      rotated_at: null,
    })

  /**
   * The session of a refresh token that is still good, locked, with its user. One that was replaced
   * long ago was stolen by somebody: that ends the session.
   */
  const findOpen = async (trx: Transaction, token: string, at = now()) => {
    const session = await sessions.findToken(trx, hashOf(token))
    if (!session || session.ended_at || session.token_expires_at <= at) return undefined
    const user = await accounts.find(session.user_id, trx)
    if (!user || user.deactivated_at || user.epoch !== session.epoch) return undefined
    if (session.rotated_at && !isWithinGrace(session.rotated_at, at)) {
      await sessions.end(trx, user.id, session.id, at)
      const details = { session: session.id }
      await audit.note(trx, 'refresh.reused', { actor_id: user.id, result: 'refused', details })
      return undefined
    }
    return { user, session }
  }

  const isFresh = (given: Date | null): boolean =>
    given !== null && now().getTime() - given.getTime() <= graceMs
  const isRecentLogin = (at: Date | null): boolean =>
    at !== null && now().getTime() - at.getTime() <= rules.recentLoginMs

  /** Begins a session of a user that has proven who they are. */
  const begin = async (trx: Transaction, kind: SessionKind, user_id: string, device: Device) => {
    const user = await accounts.loadToChange(trx, user_id)
    const at = now()
    const session = await sessions.insert(trx, {
      kind,
      user_id: user.id,
      epoch: user.epoch,
      linked_at: device.linked_at ?? null,
      second_factor_due: owesCode(user, device),
      second_factor_at: device.code_given_at ?? null,
      user_agent: rules.shownUserAgent(device.user_agent),
      created_at: at,
      last_used_at: at,
      expires_at: rules.sessionEnd(kind, at, device.parent?.expires_at ?? device.ends_at),
      ended_at: null,
      logged_in_at: device.logged_in_at ?? device.linked_at ?? at,
      parent_id: device.parent?.id ?? null,
    })
    const token = rules.tokensOf(kind).make()
    await keepToken(trx, token, session)
    return { user, session, token }
  }
  const open = async (trx: Transaction, user_id: string, device: Device): Promise<TokenAnswer> => {
    const { user, session, token } = await begin(trx, 'device', user_id, device)
    return answer(user, session, token)
  }
  type Open = NonNullable<Awaited<ReturnType<typeof findOpen>>>
  /** What a right code is given for; nothing for a token that is not good any more. */
  const withCode = async <Result>(
    token: string,
    code: string,
    work: (trx: Transaction, found: Open, given_at: Date) => Promise<Result>,
  ) => {
    const at = now()
    const owner = await transact(db, (trx) => findOpen(trx, token, at))
    if (!owner) return undefined
    await secondFactor.verify(owner.user, owner.session.id, code)
    return transact(db, async (trx) => {
      // First, so that a recovery that ends at this moment is seen by what follows.
      await recovery.cancel(trx, owner.user)
      const found = await findOpen(trx, token, at)
      return found && work(trx, found, at)
    })
  }
  /** The code that a session owes, or a new one. */
  const settle = (token: string, code: string) =>
    withCode(token, code, async (trx, found, at) => {
      await sessions.settle(trx, found.session.id, at)
      return found
    })

  const endOne = async (trx: Transaction, user_id: string, id: string): Promise<boolean> => {
    if (!(await sessions.end(trx, user_id, id, now()))) return false
    await audit.note(trx, 'session.ended', { actor_id: user_id, details: { session: id } })
    return true
  }

  secondFactor.whenEnabled(async (trx, { user_id, session_id }) => {
    if (session_id === null) return
    await sessions.demoteOthers(trx, user_id, session_id)
    await sessions.settle(trx, session_id, now())
  })
  secondFactor.whenRemoved(async (trx, user_id) => {
    await sessions.endPending(trx, user_id, now())
    await sessions.forgetCodes(trx, user_id)
  })

  return {
    jwks: keyRing.jwks,

    open,

    /** A new session for a device whose old one ended with all others; a code given there still counts. */
    async goOn(trx: Transaction, caller: Principal, user_agent: string | undefined) {
      const before = caller.session_id && (await sessions.find(trx, caller.session_id))
      const code_given_at = before ? before.second_factor_at : null
      return open(trx, caller.user_id, { user_agent, ...(code_given_at ? { code_given_at } : {}) })
    },

    /** For sessions whose token is the cookie of one of our sites. */
    begin,
    find: findOpen,
    /** To the minute: nobody waits for more. */
    async noteUse(trx: Transaction, { id, last_used_at }: { id: string; last_used_at: Date }) {
      const isOld = now().getTime() - last_used_at.getTime() >= rules.usedToTheMs
      if (isOld) await sessions.touch(trx, id, now())
    },
    settle,
    withCode,
    accessToken,
    isFresh,
    isRecentLogin,

    /** Replaces a refresh token by its successor. */
    async refresh(token: string): Promise<TokenAnswer> {
      if (!rules.refreshTokens.is(token)) throw new rules.InvalidRefreshTokenError()
      const at = now()
      const outcome = await transact(db, async (trx) => {
        const open = await findOpen(trx, token, at)
        if (!open) return undefined
        const { user, session: found } = open
        const successor = rules.refreshTokens.successorOf(token, successionKey)
        if (!found.rotated_at) {
          await sessions.rotate(trx, hashOf(token), at)
          await keepToken(trx, successor, found)
          await sessions.touch(trx, found.id, at)
        }
        return { user, session: found, successor }
      })
      if (!outcome) throw new rules.InvalidRefreshTokenError()
      return answer(outcome.user, outcome.session, outcome.successor)
    },

    /** The code that a session owes, or a new one for what is sensitive. */
    async giveCode(token: string, code: string): Promise<TokenAnswer> {
      const outcome = rules.refreshTokens.is(token) ? await settle(token, code) : undefined
      if (!outcome) throw new rules.InvalidRefreshTokenError()
      const { user, session } = outcome
      const newest = session.rotated_at
        ? rules.refreshTokens.successorOf(token, successionKey)
        : token
      return answer(user, { ...session, second_factor_due: false }, newest)
    },

    /** Access tokens of another type, which others know how to read. */
    alsoVerify: (type: string, verify: (claims: ReadClaims) => Promise<Principal>) =>
      void otherKinds.set(type, verify),

    /** Who holds this access token, as things stand right now. */
    async verify(token: string): Promise<Principal> {
      const claims = await keyRing.verify(token, { typ: 'at+jwt', issuer, audience, now: now() })
      const verifyOther = otherKinds.get(String(claims?.['type']))
      if (claims && verifyOther) return verifyOther(claims)
      const { sub, sid, epoch } = claims ?? {}
      if (claims?.['type'] !== 'AccessToken' || !isUuid(sub) || !isUuid(sid)) {
        throw new InvalidTokenError()
      }
      const [caller] = await findCaller([sub, sid, now()])
      if (!caller?.is_active || !caller.session_open || caller.epoch !== epoch) {
        throw new InvalidTokenError()
      }
      const { provider, second_factor_at: given } = caller
      const isPending = caller.second_factor_due === true
      return {
        kind: isPending ? 'pending' : 'session',
        user_id: sub,
        session_id: sid,
        role: caller.role,
        linked_at: caller.linked_at,
        expires_at: null,
        isRecentLogin: isRecentLogin(caller.logged_in_at),
        lacksSecondFactor: operatorsNeedCodes && lacksSecondFactor(caller),
        scopes: isPending ? noScopes : scopesOfRole(caller.role),
        memberships: new Map(Object.entries(caller.memberships)),
        second_factor: provider && { provider, isFresh: isFresh(given) },
      }
    },

    /** Ends every session of the caller, on every device. */
    async logOut({ user_id }: Principal): Promise<void> {
      await transact(db, async (trx) => {
        await accounts.endSessions(trx, user_id)
        await audit.note(trx, 'logout', { actor_id: user_id })
      })
    },

    async list({ user_id, session_id }: Principal) {
      const open = await sessions.findOpen(db, user_id, now())
      return open.map((session) => ({ ...session, current: session.id === session_id }))
    },

    endOne,
    async end({ user_id }: Principal, id: string): Promise<void> {
      const ended = await transact(db, (trx) => endOne(trx, user_id, id))
      if (!ended) throw new rules.UnknownSessionError()
    },

    /** Every other device has to log in again. */
    async endOthers({ user_id, session_id }: Principal): Promise<void> {
      await transact(db, async (trx) => {
        await sessions.endOthers(trx, user_id, session_id, now())
        await audit.note(trx, 'session.ended', { actor_id: user_id, details: { others: true } })
      })
    },

    purge: () => sessions.forgetBefore(db, new Date(now().getTime() - 24 * 60 * 60_000)),
  }
}
