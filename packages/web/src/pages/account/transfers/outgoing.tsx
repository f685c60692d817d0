import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button, buttonLook } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { spokenNames } from '../../../design/emoji-id.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Part } from '../../../design/part.tsx'
import { idColumn, isTurnOf, stateColumn } from './columns.tsx'
import { outgoingQuery, stateOf, type Transfer } from './queries.ts'
import { texts } from './texts.ts'

type Props = { onGiveCode: (transfer: Transfer) => void; onCallOff: (transfer: Transfer) => void }

export function Outgoing(props: Props) {
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
          columns={columnsWith(props)}
          keyOf={({ id }) => id}
          empty={texts.outgoing.none}
        />
      )}
    </Part>
  )
}

const columnsWith = ({ onGiveCode, onCallOff }: Props): Column<Transfer>[] => [
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
