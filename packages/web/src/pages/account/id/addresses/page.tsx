import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { announce } from '../../../../design/announcements.ts'
import { Button } from '../../../../design/button.tsx'
import { When } from '../../../../design/date.tsx'
import { Card, ErrorOf } from '../../../../design/feedback.tsx'
import { Select } from '../../../../design/field.tsx'
import { useAction } from '../../../../design/use-action.ts'
import { Waiting } from '../../../../design/waiting.tsx'
import { pairUp } from '../../../../records/diff.ts'
import { DiffRow } from '../diff-rows.tsx'
import { proofQuery } from '../queries.ts'
import { Editor } from './editor.tsx'
import { cancelChange, delayLockQuery, setDelayLock } from './queries.ts'
import { OrderedRecords } from './record-list.tsx'
import { delayLockTexts as texts } from './texts.ts'

/** The records of an id and its settings. */
export function IdAddressesPage() {
  const { id } = useParams({ from: '/account/ids/$id' })
  const { data, error } = useQuery(proofQuery(id))
  if (!data) return error ? <ErrorOf thrown={error} /> : <Waiting />
  return (
    <div className="grid gap-5">
      <PendingChange id={id} />
      <Editor key={id} id={id} records={data.records} />
      <DelayLock id={id} />
    </div>
  )
}

/** The change that the delay lock holds, and a button to cancel it. */
function PendingChange({ id }: { id: string }) {
  const queries = useQueryClient()
  const { data } = useQuery(delayLockQuery(id))
  const cancel = useAction({
    mutationFn: () => cancelChange(id),
    onSuccess: () => announce(texts.cancelled),
    onSettled: () => queries.invalidateQueries({ queryKey: ['records', id] }),
  })
  if (!data?.waiting) return <ErrorOf thrown={cancel.error} />
  const { changes_at, by, removed, added, order } = data.waiting
  return (
    <Card className="grid gap-5">
      <div>
        <h2>
          {texts.waiting} <When at={changes_at} isExact />
        </h2>
        <p className="text-soft">
          {texts.by[by]}. {texts.waitingText}
        </p>
      </div>
      {pairUp(removed, added).map((pair) => (
        <DiffRow key={`${pair.before[0]?.hash} ${pair.after?.hash}`} pair={pair} />
      ))}
      {order ? (
        <div className="grid gap-2">
          <h3 className="font-semibold">{texts.order}</h3>
          <OrderedRecords records={order} />
        </div>
      ) : null}
      <ErrorOf thrown={cancel.error} />
      <div>
        <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          {texts.cancel}
        </Button>
      </div>
    </Card>
  )
}

const choices = [0, 1, 2, 4, 8, 12, 24, 36, 48, 72]

type Lock = { hours: number; next_hours: number | null; next_at: string | null }

/** Sets the delay of address changes. */
function DelayLock({ id }: { id: string }) {
  const { data, error } = useQuery(delayLockQuery(id))
  return (
    <Card className="grid gap-5">
      <div>
        <h2>{texts.title}</h2>
        <p className="text-soft">{texts.text}</p>
      </div>
      <ErrorOf thrown={error} />
      {data ? <Hours key={id} id={id} lock={data} /> : null}
    </Card>
  )
}

function Hours({ id, lock: { hours, next_hours, next_at } }: { id: string; lock: Lock }) {
  const queries = useQueryClient()
  const savedHours = next_hours ?? hours
  const [chosenHours, setChosenHours] = useState(savedHours)
  const [formerHours, setFormerHours] = useState(savedHours)
  // Follows the saved value, except after another choice, which may come while a save runs.
  if (formerHours !== savedHours) {
    setFormerHours(savedHours)
    if (chosenHours === formerHours) setChosenHours(savedHours)
  }
  const save = useAction({
    mutationFn: (newHours: number) => setDelayLock(id, newHours),
    onSuccess: (_lock, newHours) => announce(newHours === hours ? texts.kept : texts.saved),
    onSettled: () => queries.invalidateQueries({ queryKey: ['records', id] }),
  })
  const all = [...new Set([...choices, hours, next_hours ?? 0])].sort((one, other) => one - other)
  const hint = chosenHours >= hours ? texts.raises : texts.lowers(hours)
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(chosenHours)
      }}
    >
      {next_at === null ? null : (
        <div className="flex flex-wrap items-center gap-3">
          <p>
            {texts.after(hours)}. {texts.lowering(next_hours ?? 0)} <When at={next_at} isExact />.
          </p>
          <Button look="second" isBusy={save.isPending} onClick={() => save.mutate(hours)}>
            {texts.keep}
          </Button>
        </div>
      )}
      <Select
        label={texts.hours}
        hint={chosenHours === savedHours ? texts.locked : hint}
        options={all.map((many) => ({
          value: String(many),
          text: many === 0 ? texts.off : texts.after(many),
        }))}
        value={String(chosenHours)}
        onChange={({ currentTarget: { value } }) => setChosenHours(Number(value))}
      />
      <ErrorOf thrown={save.error} />
      <div>
        <Button type="submit" isBusy={save.isPending}>
          {texts.save}
        </Button>
      </div>
    </form>
  )
}
