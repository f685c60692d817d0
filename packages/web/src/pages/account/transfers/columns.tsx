import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../../api/account.ts'
import { Badge, type Tone } from '../../../design/badge.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId, spokenNames } from '../../../design/emoji-id.tsx'
import { type Side, stateOf, type Transfer, type TransferState } from './queries.ts'
import { texts } from './texts.ts'
import { TransferRecords } from './transfer-records.tsx'

export const idColumn = (side: Side): Column<Transfer> => ({
  title: texts.columns.id,
  show: (transfer) => (
    <div className="grid justify-items-start gap-1.5">
      <TransferDetails transfer={transfer} side={side} />
    </div>
  ),
})

type Props = { transfer: Transfer; side: Side }

function useIsForOrganization({ transfer, side }: Props): boolean {
  const { data: account } = useQuery(accountQuery)
  return side === 'incoming' && account !== undefined && transfer.recipient_id !== account.user.id
}

function TransferDetails({ transfer, side }: Props) {
  const isForOrganization = useIsForOrganization({ transfer, side })
  const { eid, email, message, clear_on_transfer, sender } = transfer
  const isOffered = ['awaiting_sender', 'awaiting_receiver'].includes(stateOf(transfer))
  return (
    <>
      <EmojiId id={eid} />
      <span aria-hidden="true" className="text-sm text-soft">
        {spokenNames(eid)}
      </span>
      {side === 'outgoing' ? (
        <span className="max-w-72 text-sm font-medium wrap-anywhere">
          {texts.to(email || texts.keyReceiver)}
        </span>
      ) : isOffered ? (
        <span className="max-w-72 text-sm wrap-anywhere text-soft">
          {sender ? texts.sender(sender) : texts.from}
        </span>
      ) : null}
      {isForOrganization ? (
        <span className="max-w-72 text-sm font-medium">{texts.organization}</span>
      ) : null}
      {side === 'incoming' && isOffered ? (
        <TransferRecords transfer={transfer} />
      ) : clear_on_transfer ? (
        <Badge>{texts.contents.empty}</Badge>
      ) : null}
      {message ? (
        <span className="max-w-64 text-sm wrap-anywhere whitespace-pre-line">
          <span className="sr-only">{texts.message} </span>“{message}”
        </span>
      ) : null}
    </>
  )
}

const tones: Record<TransferState, Tone> = {
  awaiting_sender: 'plain',
  awaiting_receiver: 'plain',
  accepted: 'good',
  ended: 'plain',
}
/** The state in which each side has to act. */
const turns: Record<Side, TransferState> = {
  outgoing: 'awaiting_sender',
  incoming: 'awaiting_receiver',
}

export const isTurnOf = (side: Side, transfer: Transfer): boolean =>
  stateOf(transfer) === turns[side]

/** The state and the next step. */
export const stateColumn = (side: Side): Column<Transfer> => ({
  title: texts.columns.state,
  show: (transfer) => <TransferStatus transfer={transfer} side={side} />,
})

function TransferStatus({ transfer, side }: Props) {
  const isForOrganization = useIsForOrganization({ transfer, side })
  const state = stateOf(transfer)
  const at = transfer.accepted_at ?? transfer.deleted_at
  const isTheirs = isForOrganization && state === 'accepted'
  const { state: name, next } = isTheirs
    ? texts.ofOrganization
    : { state: texts.states[side][state], next: texts.next[side][state] }
  return (
    <span className="grid max-w-72 justify-items-end gap-1 md:justify-items-start md:text-left">
      <Badge tone={isTurnOf(side, transfer) ? 'main' : tones[state]}>{name}</Badge>
      <span className="text-sm text-soft">
        {next} {at ? <When at={at} /> : null}
      </span>
      <span className="text-sm text-soft">
        {texts.begun} <When at={transfer.created_at} />
      </span>
    </span>
  )
}
