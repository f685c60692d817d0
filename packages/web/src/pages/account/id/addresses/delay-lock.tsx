import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { announce } from '../../../../design/announcements.ts'
import { Button } from '../../../../design/button.tsx'
import { When } from '../../../../design/date.tsx'
import { Card, ErrorOf } from '../../../../design/feedback.tsx'
import { Select } from '../../../../design/select.tsx'
import { useAction } from '../../../../design/use-action.ts'
import { delayLockQuery, setDelayLock } from './queries.ts'
import { delayLockTexts as texts } from './texts.ts'

const choices = [0, 1, 2, 4, 8, 12, 24, 36, 48, 72]

type Lock = { hours: number; next_hours: number | null; next_at: string | null }

/** Sets the delay of address changes. */
export function DelayLock({ id }: { id: string }) {
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
