import type { storeKeys } from '@emojid/core'
import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { idempotencyHeader } from '../../../api/idempotency-keys.ts'
import { Problem } from '../../../api/problem.ts'
import type { AnswerOf } from '../../../api/shapes.ts'
import { texts } from './texts.ts'

export type IdOverview = AnswerOf<'showIdOverview'>

export const overviewQuery = (emoji_id: string) =>
  queryOptions({
    queryKey: ['admin-ids', emoji_id],
    queryFn: () =>
      unwrap(api.GET('/admin/emoji_ids/{emoji_id}', { params: { path: { emoji_id } } })),
    staleTime: 0,
  })

/**
 * The confirmed account with this email address. Any user can register an address without confirming
 * it, and wait for ids granted to it.
 */
async function findReceiver(email: string): Promise<string> {
  const { data } = await unwrap(api.GET('/users', { params: { query: { q: email, limit: 50 } } }))
  const account = data.find((user) => user.email?.toLowerCase() === email.toLowerCase())
  if (!account) throw new Problem(404, { error: texts.grant.noAccount })
  if (!account.email_verified_at) throw new Problem(422, { error: texts.grant.unconfirmed })
  return account.id
}

type StoreKey = (typeof storeKeys)[number]

type Transfer = {
  email: string
  clear_on_transfer: boolean
  without_token: boolean
  reason: string
}

/** The actions of operators on one id. */
export const idActions = (emoji_id: string) => ({
  grant: async (email: string, reason: string, key: string) => {
    const user_id = await findReceiver(email)
    return unwrap(
      api.POST('/admin/emoji_ids', {
        body: { emoji_id, user_id, reason },
        ...idempotencyHeader(key),
      }),
    )
  },
  transfer: (body: Transfer, key: string) =>
    unwrap(
      api.POST('/transfers', {
        body: { eid: emoji_id, force_transfer: true, ...body },
        ...idempotencyHeader(key),
      }),
    ),
  setLock: (key: StoreKey, is_locked: boolean, reason: string) =>
    unwrap(
      api.PUT('/admin/emoji_ids/{eid}/json/{key}/lock', {
        params: { path: { eid: emoji_id, key } },
        body: { is_locked, reason },
      }),
    ),
  revoke: (reason: string, isReserved: boolean) =>
    unwrap(
      api.DELETE('/admin/emoji_ids/{emoji_id}', {
        params: { path: { emoji_id }, query: { reason, ...(isReserved ? { reserve: true } : {}) } },
      }),
    ),
})
