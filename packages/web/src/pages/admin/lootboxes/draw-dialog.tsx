import { useState } from 'react'
import type { LootboxType } from '../../../api/admin.ts'
import { announce } from '../../../design/announcements.ts'
import { FormDialog } from '../../../design/dialog.tsx'
import { Field, ReasonField, Select, valueIn } from '../../../design/field.tsx'
import { drawLootboxes } from './queries.ts'
import { drawTexts as texts } from './texts.ts'

const boxesAtMost = 1_000

type Props = { types: readonly LootboxType[]; chosen?: string; onClose: () => void }
type Progress = { drawn: number; total: number }

/** Draws boxes of a type and shows the progress. */
export function DrawDialog({ types, chosen, onClose }: Props) {
  const [progress, setProgress] = useState<Progress>()
  const open = types.filter(({ exhausted_at }) => exhausted_at === null)
  return (
    <FormDialog
      title={texts.title}
      text={open.length === 0 ? texts.noTypes : texts.text}
      action={texts.action}
      run={async (form): Promise<Progress> => {
        const type = open.find(({ id }) => id === valueIn(form, 'type'))
        const total = Number(valueIn(form, 'count'))
        if (!type) return { drawn: 0, total }
        setProgress({ drawn: 0, total })
        const tell = (drawnCount: number) => setProgress({ drawn: drawnCount, total })
        const drawing = drawLootboxes(type, { total, reason: valueIn(form, 'reason') }, tell)
        return { drawn: await drawing.finally(() => setProgress(undefined)), total }
      }}
      onDone={({ drawn, total }) => announce(texts.done(drawn, total))}
      onClose={onClose}
      fields={['loot_box_type_id', 'num_boxes']}
    >
      {(problemIn) => (
        <>
          <Select
            label={texts.type}
            name="type"
            required
            defaultValue={chosen}
            options={open.map(({ id, name }) => ({ value: id, text: name }))}
            problem={problemIn('loot_box_type_id')}
          />
          <Field
            label={texts.count}
            hint={texts.countHint(boxesAtMost)}
            name="count"
            type="number"
            required
            min={1}
            max={boxesAtMost}
            defaultValue={10}
            problem={problemIn('num_boxes')}
          />
          <ReasonField />
          <ProgressBar progress={progress} />
        </>
      )}
    </FormDialog>
  )
}

const ProgressBar = ({ progress }: { progress: Progress | undefined }) => (
  <div role="status" className="grid gap-2">
    {progress ? (
      <>
        <p className="text-soft tabular-nums">{texts.progress(progress.drawn, progress.total)}</p>
        <div aria-hidden="true" className="h-2.5 overflow-hidden rounded-full bg-hair">
          <div
            className="h-full rounded-full bg-main transition-[width]"
            style={{ width: `${(100 * progress.drawn) / progress.total}%` }}
          />
        </div>
      </>
    ) : null}
  </div>
)
