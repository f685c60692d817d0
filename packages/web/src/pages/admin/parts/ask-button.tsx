import { type ComponentProps, type ReactNode, useState } from 'react'
import { queries } from '../../../api/query-client.ts'
import { type Once, wishKeys } from '../../../api/wish-keys.ts'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { say } from '../../../design/status.tsx'

type Dialog = ComponentProps<typeof ConfirmDialog<unknown>>

type Props = Omit<Dialog, 'onDone' | 'onClose' | 'run'> & {
  /** What stands on the button; what the dialog does may be said longer. */
  label: ReactNode
  look?: ComponentProps<typeof Button>['look']
  /** With a name for this very wish: sent twice, it is carried out once. */
  run: (reason: string, key: string) => Promise<unknown>
  /** What is sent besides the reason: another wish has another name. */
  sends?: unknown
  /** What is told once it is done. */
  done: string
  onDone?: () => void
  onOpen?: () => void
}

/** Does something after a question; everything shown is asked for anew then. */
export function AskButton(props: Props) {
  const { label, look = 'second', run, sends, done, onDone, onOpen, ...dialog } = props
  const [once, setOnce] = useState<Once>()
  return (
    <>
      <Button
        look={look}
        onClick={() => {
          onOpen?.()
          setOnce(wishKeys)
        }}
      >
        {label}
      </Button>
      {once ? (
        <ConfirmDialog
          {...dialog}
          run={(reason) => once([reason, sends], (key) => run(reason, key))}
          onClose={() => setOnce(undefined)}
          onDone={() => {
            say(done)
            onDone?.()
            void queries.invalidateQueries()
          }}
        />
      ) : null}
    </>
  )
}
