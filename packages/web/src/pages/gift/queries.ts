import { api, unwrap } from '../../api/client.ts'
import { giftLinks } from '../../api/gift-links.ts'
import { queries } from '../../api/query-client.ts'
import { callSite, session, type Tokens } from '../../api/session.ts'

export type Gift = {
  transfer_id: string
  eid: string
  email: string
  sender: string | null
  message: string | null
  clear_on_transfer: boolean
  is_for_organization: boolean
  /** The recipient of the link. */
  user_id: string
  /** Has no password yet. */
  is_new: boolean
  /** The account was used before, by sign-in links. */
  is_confirmed: boolean
}

export async function openGift(token: string): Promise<Gift> {
  const gift = await callSite<Gift>('POST', '/gift/look', { token })
  giftLinks.keep(gift.transfer_id, token)
  return gift
}

/** Sets the first password and signs in. The site returns a new token for the same offer. */
export async function joinByGift(transfer_id: string, password: string): Promise<void> {
  const body = { token: giftLinks.find(transfer_id), password }
  const tokens = await callSite<Tokens & { token: string }>('POST', '/gift/join', body)
  giftLinks.keep(transfer_id, tokens.token)
  session.adopt(tokens)
  void queries.invalidateQueries()
}

export async function declineGift(transfer_id: string): Promise<void> {
  await callSite('POST', '/gift/decline', { token: giftLinks.find(transfer_id) })
  giftLinks.remove(transfer_id)
  void queries.invalidateQueries({ queryKey: ['transfers'] })
}

/** The link was opened in this browser, so no code is asked for. */
export async function acceptGift(transfer_id: string): Promise<void> {
  const body = { code: giftLinks.find(transfer_id) ?? '' }
  const params = { path: { transfer_id } }
  await unwrap(api.POST('/transfers/{transfer_id}/receiver_accept', { params, body }))
  giftLinks.remove(transfer_id)
  void queries.invalidateQueries({ queryKey: ['transfers'] })
  void queries.invalidateQueries({ queryKey: ['own-ids'] })
}
