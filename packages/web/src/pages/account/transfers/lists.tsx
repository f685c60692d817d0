import { spokenNames } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accountQuery } from '../../../api/account.ts'
import { Badge, type Tone } from '../../../design/badge.tsx'
import { Button, buttonLook } from '../../../design/button.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Part } from '../../../design/section.tsx'
import {
  incomingQuery,
  outgoingQuery,
  type Side,
  stateOf,
  type Transfer,
  type TransferState,
} from './queries.ts'
import { texts } from './texts.ts'
import { TransferRecords } from './transfer-records.tsx'

type Props = {
  onGiveCode: (transfer: Transfer) => void
  onDecline: (transfer: Transfer) => void
}

export function Incoming(props: Props) {
  const { filters, field } = useList({ accepted: ['too'] })
  const { data, error, isPlaceholderData } = useQuery(incomingQuery(filters.accepted === 'too'))
  return (
    <Part title={texts.incoming.title}>
      {data?.length === 0 ? (
        <p>
          {texts.incoming.none} <span className="text-soft">{texts.incoming.noneText}</span>
        </p>
      ) : (
        <DataTable
          caption={texts.incoming.caption}
          columns={incomingColumns(props)}
          rows={data}
          keyOf={({ id }) => id}
          error={error}
          isOld={isPlaceholderData}
          empty={texts.incoming.none}
        />
      )}
      <Checkbox
        label={texts.incoming.withAccepted}
        checked={filters.accepted === 'too'}
        onChange={({ currentTarget }) =>
          field('accepted').onChange(currentTarget.checked ? 'too' : '')
        }
      />
    </Part>
  )
}

const incomingColumns = ({ onGiveCode, onDecline }: Props): Column<Transfer>[] => [
  idColumn('incoming'),
  stateColumn('incoming'),
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: (transfer) =>
      isTurnOf('incoming', transfer) ? (
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => onGiveCode(transfer)}>
            {texts.accept}
            <span className="sr-only">: {spokenNames(transfer.eid)}</span>
          </Button>
          <Button look="quiet" onClick={() => onDecline(transfer)}>
            {texts.decline}
            <span className="sr-only">: {spokenNames(transfer.eid)}</span>
          </Button>
        </div>
      ) : null,
  },
]

type OutgoingProps = {
  onGiveCode: (transfer: Transfer) => void
  onCallOff: (transfer: Transfer) => void
}

export function Outgoing(props: OutgoingProps) {
  const { page } = useList({})
  const answer = useQuery(outgoingQuery(page))
  const hasNone = answer.data?.paging.total === 0
  return (
    <Part title={texts.outgoing.title}>
      {hasNone ? (
        <div className="grid justify-items-start gap-3">
          <p>
            {texts.outgoing.none} <span className="text-soft">{texts.outgoing.noneText}</span>
          </p>
          <Link to="/account" className={buttonLook('second')}>
            {texts.outgoing.toIds}
          </Link>
        </div>
      ) : (
        <PagedTable
          answer={answer}
          csv={{ path: '/transfers/export', name: 'transfers' }}
          texts={texts.outgoing}
          columns={outgoingColumns(props)}
          keyOf={({ id }) => id}
          empty={texts.outgoing.none}
        />
      )}
    </Part>
  )
}

const outgoingColumns = ({ onGiveCode, onCallOff }: OutgoingProps): Column<Transfer>[] => [
  idColumn('outgoing'),
  stateColumn('outgoing'),
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: (transfer) => {
      const named = <span className="sr-only">: {spokenNames(transfer.eid)}</span>
      return (
        <span className="flex flex-wrap gap-2 whitespace-nowrap md:flex-col md:items-end">
          {isTurnOf('outgoing', transfer) ? (
            <Button onClick={() => onGiveCode(transfer)}>
              {texts.giveCode}
              {named}
            </Button>
          ) : null}
          {isOpen(transfer) ? (
            <Button look="second" onClick={() => onCallOff(transfer)}>
              {texts.cancelTransfer}
              {named}
            </Button>
          ) : null}
        </span>
      )
    },
  },
]

const isOpen = (transfer: Transfer): boolean =>
  ['awaiting_sender', 'awaiting_receiver'].includes(stateOf(transfer))

const idColumn = (side: Side): Column<Transfer> => ({
  title: texts.columns.id,
  show: (transfer) => (
    <div className="grid justify-items-start gap-1.5">
      <TransferDetails transfer={transfer} side={side} />
    </div>
  ),
})

type ColumnsProps = { transfer: Transfer; side: Side }

function useIsForOrganization({ transfer, side }: ColumnsProps): boolean {
  const { data: account } = useQuery(accountQuery)
  return side === 'incoming' && account !== undefined && transfer.recipient_id !== account.user.id
}

function TransferDetails({ transfer, side }: ColumnsProps) {
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

const isTurnOf = (side: Side, transfer: Transfer): boolean => stateOf(transfer) === turns[side]

/** The state and the next step. */
const stateColumn = (side: Side): Column<Transfer> => ({
  title: texts.columns.state,
  show: (transfer) => <TransferStatus transfer={transfer} side={side} />,
})

function TransferStatus({ transfer, side }: ColumnsProps) {
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
