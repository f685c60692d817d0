import { transact } from '../../platform/database/database.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { User } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import {
  type Device,
  InvalidRefreshTokenError,
  type Sessions,
  type SiteName,
  tokensOf,
} from '../sessions/index.ts'

export type SiteSessions = ReturnType<typeof createSiteSessions>

type Options = {
  db: Database
  sessions: Sessions
  audit: Audit
  site: SiteName
  now: () => Date
}
type GoOn = { user_agent: string | undefined; takeOver: boolean; owing?: boolean }
type Open = {
  id: string
  linked_at: Date | null
  logged_in_at: Date
  second_factor_due: boolean
  second_factor_at: Date | null
}

const noScopes: ReadonlySet<never> = new Set()
/** How long a login waits for its code. */
const owingMs = 15 * 60_000

/** Whom one of our sites knows by its cookie, which holds a handle. */
export function createSiteSessions({ db, sessions, audit, site, now }: Options) {
  const isHandle = tokensOf(site).is
  const isRefreshToken = tokensOf('device').is

  const principalOf = ({ id, role, two_factor_auth }: User, session: Open): Principal => {
    const { linked_at, logged_in_at, second_factor_due: isPending, second_factor_at } = session
    const [provider] = two_factor_auth
    return {
      kind: isPending ? 'pending' : 'session',
      user_id: id,
      session_id: session.id,
      role,
      scopes: noScopes,
      memberships: new Map(),
      expires_at: null,
      linked_at,
      isRecentLogin: sessions.isRecentLogin(logged_in_at),
      lacksSecondFactor: false,
      second_factor: provider ? { provider, isFresh: sessions.isFresh(second_factor_at) } : null,
    }
  }

  const find = async (handle: string) => {
    if (!isHandle(handle)) return undefined
    const found = await transact(db, async (trx) => {
      const open = await sessions.find(trx, handle)
      if (open) await sessions.noteUse(trx, open.session)
      return open
    })
    return found && { ...found, principal: principalOf(found.user, found.session) }
  }

  type Found = NonNullable<Awaited<ReturnType<typeof sessions.find>>>
  /** Answers the handle. */
  const beginFrom = async (trx: Transaction, { user, session }: Found, device: Device) => {
    const opened = await sessions.begin(trx, site, user.id, device)
    // Somebody was shut out while this waited for its turn.
    const { epoch, deactivated_at } = opened.user
    if (epoch !== user.epoch || deactivated_at) throw new InvalidRefreshTokenError()
    const details = { site, session: opened.session.id, from: session.id }
    await audit.note(trx, 'session.began', { actor_id: user.id, details })
    return opened.token
  }

  return {
    /** Answers the handle. */
    async open(trx: Transaction, user_id: string, device: Device): Promise<string> {
      return (await sessions.begin(trx, site, user_id, device)).token
    },

    /**
     * The holder of a refresh token goes on here, which does not use the token up, and ends with it.
     * Taken over, the session behind the token ends instead: nobody else has it. Owing is for who
     * still has to give a code, and for nobody else; the session here owes it, too.
     */
    async goOn(token: string, { user_agent, takeOver, owing = false }: GoOn): Promise<string> {
      const handle = await transact(db, async (trx) => {
        const found = isRefreshToken(token) && (await sessions.find(trx, token))
        // Not thrown here: that a token came too late has ended its session, which is to stay so.
        if (!found || found.session.second_factor_due !== owing) return undefined
        const { linked_at, logged_in_at, second_factor_at } = found.session
        // One that was given before says nothing when another is owed since.
        const code_given_at = owing ? null : second_factor_at
        if (takeOver) await sessions.endOne(trx, found.user.id, found.session.id)
        return beginFrom(trx, found, {
          user_agent,
          logged_in_at,
          ...(takeOver ? {} : { parent: found.session }),
          ...(linked_at ? { linked_at } : {}),
          ...(code_given_at ? { code_given_at } : {}),
          ...(owing ? { ends_at: new Date(now().getTime() + owingMs) } : {}),
        })
      })
      if (!handle) throw new InvalidRefreshTokenError()
      return handle
    },

    find,

    /** Who still owes the code of a login. */
    async findOwing(handle: string) {
      const found = await find(handle)
      return found?.session.second_factor_due ? found : undefined
    },

    /**
     * The code that a login owes. A session of its own begins with it, since who saw the handle or
     * a token of the login must not be in with it, not for a moment; nothing when nobody owes a code
     * by this handle.
     */
    async finishOwing(handle: string, code: string, user_agent: string | undefined) {
      if (!isHandle(handle)) return undefined
      return sessions.withCode(handle, code, async (trx, found, code_given_at) => {
        const { id, linked_at, logged_in_at } = found.session
        if (!(await sessions.endOne(trx, found.user.id, id))) return undefined
        return beginFrom(trx, found, {
          user_agent,
          code_given_at,
          logged_in_at,
          ...(linked_at ? { linked_at } : {}),
        })
      })
    },

    /** Nothing when nobody is known by the handle. */
    async giveCode(handle: string, code: string) {
      return isHandle(handle) ? sessions.settle(handle, code) : undefined
    },

    async end(handle: string): Promise<void> {
      await transact(db, async (trx) => {
        const found = isHandle(handle) && (await sessions.find(trx, handle))
        if (found) await sessions.endOne(trx, found.user.id, found.session.id)
      })
    },

    /** For the pages of the site, which keep it in memory alone. */
    accessToken: sessions.accessToken,
  }
}
