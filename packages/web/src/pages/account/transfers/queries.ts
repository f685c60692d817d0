import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { queries } from '../../../api/query-client.ts'
import { recordsQuery, shownRecords } from '../../../api/records.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type Transfer = AnswerOf<'listIncomingTransfers'>[number]

export type TransferState = 'awaiting_sender' | 'awaiting_receiver' | 'accepted' | 'ended'

export type Side = 'outgoing' | 'incoming'

type Moments = Pick<Transfer, 'accepted_at' | 'deleted_at' | 'sender_code_accepted_at'>

export function stateOf({ accepted_at, deleted_at, sender_code_accepted_at }: Moments) {
  if (accepted_at) return 'accepted'
  if (deleted_at) return 'ended'
  return sender_code_accepted_at ? 'awaiting_receiver' : 'awaiting_sender'
}

export const outgoingQuery = (page: number) =>
  queryOptions({
    queryKey: ['transfers', 'outgoing', page],
    queryFn: () => unwrap(api.GET('/transfers', { params: { query: { page, limit: 20 } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const incomingQuery = (isAccepted: boolean) =>
  queryOptions({
    queryKey: ['transfers', 'incoming', isAccepted],
    queryFn: () =>
      unwrap(api.GET('/transfers/incoming', { params: { query: { accepted: isAccepted } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** A transfer changes the list of ids, too. */
export function refreshTransfers(): void {
  void queries.invalidateQueries({ queryKey: ['transfers'] })
  void queries.invalidateQueries({ queryKey: ['own-ids'] })
}

const at = (transfer_id: string) => ({ params: { path: { transfer_id } } })

export type NewTransfer = {
  eid: string
  email?: string
  pubkey?: string
  message?: string
  clear_on_transfer: boolean
  show_sender: boolean
}

export const startTransfer = (body: NewTransfer) => unwrap(api.POST('/transfers', { body }))

/** A recipient accepts only the records that the page showed. */
export async function enterTransferCode(
  { id, eid }: Pick<Transfer, 'id' | 'eid'>,
  side: Side,
  code: string,
  without_token: boolean,
): Promise<void> {
  if (side === 'outgoing') {
    const body = { code }
    await unwrap(api.POST('/transfers/{transfer_id}/sender_accept', { ...at(id), body }))
    return
  }
  const body = { code, shown_records: shownRecords(eid), without_token }
  await unwrap(api.POST('/transfers/{transfer_id}/receiver_accept', { ...at(id), body })).finally(
    () => void queries.invalidateQueries({ queryKey: recordsQuery(eid).queryKey }),
  )
}

export const confirmByOffer = (code: string) =>
  unwrap(api.POST('/transfers/incoming/confirm_email', { body: { code } }))

export const resendTransferCode = (id: string) =>
  unwrap(api.POST('/transfers/{transfer_id}/resend_code', at(id)))

export const cancelTransfer = (id: string) => unwrap(api.DELETE('/transfers/{transfer_id}', at(id)))
