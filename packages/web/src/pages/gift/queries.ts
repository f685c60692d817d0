import { api, unwrap } from '../../api/client.ts'
import { giftLinks } from '../../api/gift-links.ts'
import { queries } from '../../api/query-client.ts'
import { recordsQuery, shownRecords } from '../../api/records.ts'
import { callSite, session, type Tokens } from '../../api/session.ts'

export type Gift = {
  transfer_id: string
  eid: string
  email: string
  sender: string | null
  message: string | null
  clear_on_transfer: boolean
  /** The id was minted, and its token is not with the recipient. */
  token_stays: boolean
  is_for_organization: boolean
  /** The recipient of the link. */
  user_id: string
  /** Never used the account: sets the first password here. */
  is_new: boolean
}

export async function openGift(token: string): Promise<Gift> {
  const gift = await callSite<Gift>('POST', '/gift/look', { token })
  giftLinks.keep(gift, token)
  return gift
}

/** Sets the first password and signs in. The site returns a new token for the same offer. */
export async function joinByGift(gift: Gift, password: string): Promise<void> {
  const body = { token: giftLinks.find(gift.transfer_id), password }
  const tokens = await callSite<Tokens & { token: string }>('POST', '/gift/join', body)
  giftLinks.keep({ ...gift, is_new: false }, tokens.token)
  session.adopt(tokens)
  void queries.invalidateQueries()
}

export async function declineGift(transfer_id: string): Promise<void> {
  await callSite('POST', '/gift/decline', { token: giftLinks.find(transfer_id) })
  giftLinks.remove(transfer_id)
  void queries.invalidateQueries({ queryKey: ['transfers'] })
}

/** The link was opened in this browser, so no code is asked for. Accepts only what the page showed. */
export async function acceptGift({ transfer_id, eid, token_stays }: Gift): Promise<void> {
  const body = {
    code: giftLinks.find(transfer_id) ?? '',
    shown_records: shownRecords(eid),
    without_token: token_stays,
  }
  const params = { path: { transfer_id } }
  await unwrap(api.POST('/transfers/{transfer_id}/receiver_accept', { params, body })).finally(
    () => void queries.invalidateQueries({ queryKey: recordsQuery(eid).queryKey }),
  )
  giftLinks.remove(transfer_id)
  void queries.invalidateQueries({ queryKey: ['transfers'] })
  void queries.invalidateQueries({ queryKey: ['own-ids'] })
}
