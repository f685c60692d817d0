import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Part } from '../../../design/part.tsx'
import { useAction } from '../../../design/use-action.ts'
import { exportAccount } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.export

/** Downloads all own data as a file. */
export function ExportPart() {
  const loading = useAction({
    mutationFn: exportAccount,
    onSuccess: (file) => {
      save(file)
      announce(texts.done)
    },
  })
  return (
    <Part
      title={texts.title}
      text={texts.text}
      actions={
        <Button look="second" isBusy={loading.isPending} onClick={() => loading.mutate()}>
          {texts.action}
        </Button>
      }
    >
      <ErrorOf thrown={loading.error} />
    </Part>
  )
}

/** A link cannot send the access token, so the loaded file is saved from memory. */
function save(file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = `emoji-id-account-${new Date().toISOString().slice(0, 10)}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url))
}
