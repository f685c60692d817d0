import { type ListExport, loadExport } from '../api/exports.ts'
import { announce } from './announcements.ts'
import { Button } from './button.tsx'
import { download } from './download.ts'
import { ErrorOf } from './feedback.tsx'
import { texts as designTexts } from './texts.ts'
import { useAction } from './use-action.ts'

const texts = designTexts.list.csv

/** Downloads the whole list, with its filters, as a CSV file. */
export function ExportButton({ list }: { list: ListExport }) {
  const running = useAction({
    mutationFn: () => loadExport(list),
    onSuccess: ({ text, isCut }) => {
      download(text, `${list.name}.csv`, 'text/csv')
      announce(isCut ? texts.cut : texts.done)
    },
  })
  return (
    <div className="grid justify-items-start gap-3">
      <Button look="second" isBusy={running.isPending} onClick={() => running.mutate(undefined)}>
        {texts.action}
      </Button>
      <ErrorOf thrown={running.error} />
    </div>
  )
}
