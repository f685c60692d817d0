import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../design/button.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { spokenNames } from '../../../design/emoji-id.tsx'
import { useList } from '../../../design/list-search.ts'
import { Part } from '../../../design/part.tsx'
import { idColumn, isTurnOf, stateColumn } from './columns.tsx'
import { incomingQuery, type Transfer } from './queries.ts'
import { texts } from './texts.ts'

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
          columns={columnsWith(props)}
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

const columnsWith = ({ onGiveCode, onDecline }: Props): Column<Transfer>[] => [
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
