import type { StoredRecord } from '../../../../api/records.ts'
import { announce } from '../../../../design/announcements.ts'
import { Badge } from '../../../../design/badge.tsx'
import { Button } from '../../../../design/button.tsx'
import { isPayment, nameOf, titleOf } from '../../../../records/names.ts'
import { partsOf } from '../../../../records/parts.ts'
import { shownOfSeveral } from '../../../../records/shown.ts'
import { RecordText } from '../diff-rows.tsx'
import type { Entry, Step } from './draft.ts'
import { EditRecord } from './edit-record.tsx'
import { StrengthOf } from './strength.tsx'
import { texts } from './texts.ts'

type ListContext = {
  records: readonly StoredRecord[]
  /** The records in the order that the owner wants. */
  ordered: readonly StoredRecord[]
  outcome: readonly StoredRecord[]
  entries: readonly Entry[]
  /** The hash of the edited record. */
  editing: string | undefined
  setEditing: (hash: string | undefined) => void
  note: (step: Step) => void
  swap: (one: StoredRecord, other: StoredRecord) => void
}
type Props = ListContext & {
  isIn: (record: StoredRecord) => boolean
  empty: string
  isSaving: boolean
}

/** The current records with their pending changes. */
export function RecordList({ isIn, empty, isSaving, ...shared }: Props) {
  const visible = shared.ordered.filter(isIn)
  if (visible.length === 0) return <p>{empty}</p>
  return (
    <fieldset role="presentation" disabled={isSaving} className="min-w-0">
      <ul className="grid">
        {visible.map((record, place) => (
          <li key={record.hash} className="border-t border-hair py-4 first:border-0 first:pt-0">
            <Row {...shared} record={record} visible={visible} place={place} />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

/** A record among the others of its list. */
type PlacedRecord = { record: StoredRecord; visible: readonly StoredRecord[]; place: number }

function Row({
  record,
  visible,
  place,
  records,
  outcome,
  entries,
  editing,
  setEditing,
  note,
  swap,
}: ListContext & PlacedRecord) {
  const entry = entries.find(({ before }) => before.some(({ hash }) => hash === record.hash))
  const { ticker } = nameOf(record)
  const named = <span className="sr-only">: {titleOf(record)}</span>
  if (editing === record.hash) {
    const step = entry?.step
    const isOwn = step?.kind === 'change' && step.hash === record.hash
    const keeps = isOwn && step.isBeside === true
    const current = isOwn ? step.record : record
    const strength = isOwn ? step.strength : undefined
    return (
      <EditRecord
        record={current}
        strength={strength}
        others={[...records, ...outcome].filter(
          (one) => one.hash !== record.hash && one.data !== current.data,
        )}
        rivals={!isOwn && entry?.after ? [entry.after] : []}
        onNote={(noted, isBeside) => {
          const { hash } = record
          note({
            key: hash,
            kind: 'change',
            hash,
            ...noted,
            isBeside: keeps || isBeside,
          })
        }}
        onCancel={() => {
          setEditing(undefined)
          setTimeout(() => document.getElementById(`change-${record.hash}`)?.focus())
        }}
      />
    )
  }
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-1 basis-72 gap-4">
        {isPayment(record) ? <Ticker>{ticker}</Ticker> : null}
        <div className="grid min-w-0 gap-1">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-semibold wrap-anywhere">{titleOf(record)}</span>
            <Marks record={record} records={records} />
            {entry ? (
              <Badge tone={entry.after ? 'main' : 'wrong'}>
                {entry.after ? texts.willChange : texts.willGo}
              </Badge>
            ) : null}
          </p>
          <div>
            <RecordText record={record} />
          </div>
          {isPayment(record) ? <StrengthOf record={record} /> : null}
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button id={`change-${record.hash}`} look="second" onClick={() => setEditing(record.hash)}>
          {texts.change}
          {named}
        </Button>
        {entry?.after || !entry ? (
          <Button
            look="quiet"
            onClick={() => note({ key: record.hash, kind: 'remove', hash: record.hash })}
          >
            {texts.remove}
            {named}
          </Button>
        ) : null}
        <MoveButtons record={record} visible={visible} place={place} swap={swap} />
      </div>
    </div>
  )
}

/** Moves a record by one place. The focus stays at the moved record, so that it can go on. */
function MoveButtons({ record, visible, place, swap }: PlacedRecord & Pick<ListContext, 'swap'>) {
  const name = titleOf(record)
  const move = (direction: 'up' | 'down', to: number, other: StoredRecord) => {
    swap(record, other)
    announce(texts.moved(name, to + 1, visible.length))
    setTimeout(() => {
      const button = (name: string) => document.getElementById(`${name}-${record.hash}`)
      const same = button(direction)
      ;(same ?? button(direction === 'up' ? 'down' : 'up'))?.focus()
    })
  }
  const button = (direction: 'up' | 'down', to: number) => {
    const other = visible[to]
    return other ? (
      <Button
        id={`${direction}-${record.hash}`}
        look="quiet"
        onClick={() => move(direction, to, other)}
      >
        {texts.move[direction]}
        <span className="sr-only">: {name}</span>
      </Button>
    ) : null
  }
  return (
    <>
      {button('up', place - 1)}
      {button('down', place + 1)}
    </>
  )
}

/** Payers see only one of several addresses for a currency. */
function Marks({ record, records }: { record: StoredRecord; records: readonly StoredRecord[] }) {
  const isShown = shownOfSeveral(record, records) === record
  return (
    <>
      {isShown ? <Badge tone="good">{texts.isShown}</Badge> : null}
      {partsOf(record).signature ? <Badge>{texts.signed}</Badge> : null}
    </>
  )
}

/** Records in their new order, with the address that payers will see if a currency has several. */
export const OrderedRecords = ({ records }: { records: readonly StoredRecord[] }) => (
  <ol className="grid list-decimal gap-1 pl-6 text-sm">
    {records.map((record) => (
      <li key={record.hash} className="wrap-anywhere">
        {titleOf(record)}: <span dir="auto">{partsOf(record).text}</span>{' '}
        {shownOfSeveral(record, records) === record ? (
          <Badge tone="good">{texts.willShow}</Badge>
        ) : null}
      </li>
    ))}
  </ol>
)

/** A ticker as the public pages show it. */
const Ticker = ({ children }: { children: string }) => (
  <span
    aria-hidden="true"
    className="grid h-10 w-13 shrink-0 place-items-center rounded-field bg-tint text-xs font-bold tracking-wide text-main"
  >
    {children.slice(0, 5)}
  </span>
)
