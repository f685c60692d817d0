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
}
type Open = {
  id: string
  linked_at: Date | null
  second_factor_due: boolean
  second_factor_at: Date | null
}

const noScopes: ReadonlySet<never> = new Set()

/** Whom one of our sites knows by its cookie, which holds a handle. */
export function createSiteSessions({ db, sessions, audit, site }: Options) {
  const isHandle = tokensOf(site).is
  const isRefreshToken = tokensOf('device').is

  const principalOf = ({ id, role, two_factor_auth }: User, session: Open): Principal => {
    const { linked_at, second_factor_due: isPending, second_factor_at } = session
    const [provider] = two_factor_auth
    return {
      ...{ kind: isPending ? 'pending' : 'session', user_id: id, session_id: session.id, role },
      ...{ scopes: noScopes, memberships: new Map(), expires_at: null, linked_at },
      second_factor: provider ? { provider, isFresh: sessions.isFresh(second_factor_at) } : null,
    }
  }

  return {
    /** Answers the handle. */
    async open(trx: Transaction, user_id: string, device: Device): Promise<string> {
      return (await sessions.begin(trx, site, user_id, device)).token
    },

    /**
     * The holder of a refresh token goes on here, which does not use the token up, and ends with it.
     * Taken over, the session behind the token ends instead: nobody else has it.
     */
    async goOn(
      token: string,
      { user_agent, takeOver }: { user_agent: string | undefined; takeOver: boolean },
    ): Promise<string> {
      const handle = await transact(db, async (trx) => {
        const found = isRefreshToken(token) && (await sessions.find(trx, token))
        // Not thrown here: that a token came too late has ended its session, which is to stay so.
        if (!found || found.session.second_factor_due) return undefined
        const { linked_at, second_factor_at: code_given_at } = found.session
        if (takeOver) await sessions.endOne(trx, found.user.id, found.session.id)
        const opened = await sessions.begin(trx, site, found.user.id, {
          ...{ user_agent, ...(takeOver ? {} : { parent: found.session }) },
          ...(linked_at ? { linked_at } : {}),
          ...(code_given_at ? { code_given_at } : {}),
        })
        // Somebody was shut out while this waited for its turn.
        const { epoch, deactivated_at } = opened.user
        if (epoch !== found.user.epoch || deactivated_at) throw new InvalidRefreshTokenError()
        const details = { site, session: opened.session.id, from: found.session.id }
        await audit.note(trx, 'session.began', { actor_id: found.user.id, details })
        return opened.token
      })
      if (!handle) throw new InvalidRefreshTokenError()
      return handle
    },

    async find(handle: string) {
      if (!isHandle(handle)) return undefined
      const found = await transact(db, async (trx) => {
        const open = await sessions.find(trx, handle)
        if (open) await sessions.noteUse(trx, open.session)
        return open
      })
      return found && { ...found, principal: principalOf(found.user, found.session) }
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
