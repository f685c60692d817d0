import { type ComponentProps, type ReactNode, useState } from 'react'
import { type IdempotentCall, idempotencyKeys } from '../../../api/idempotency-keys.ts'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'

type Dialog = ComponentProps<typeof ConfirmDialog<unknown>>

type Props = Omit<Dialog, 'onDone' | 'onClose' | 'run'> & {
  /** The label of the button; the dialog may say more. */
  label: ReactNode
  look?: ComponentProps<typeof Button>['look']
  /** Receives an idempotency key: a retry runs once. */
  run: (reason: string, key: string) => Promise<unknown>
  /** The request data besides the reason; other data gets another idempotency key. */
  sends?: unknown
  /** The success message. */
  done: string
  onDone?: () => void
  onOpen?: () => void
}

/** Confirms and runs an action, then refetches all shown data. */
export function AskButton(props: Props) {
  const { label, look = 'second', run, sends, done, onDone, onOpen, ...dialog } = props
  const [once, setOnce] = useState<IdempotentCall>()
  return (
    <>
      <Button
        look={look}
        onClick={() => {
          onOpen?.()
          setOnce(idempotencyKeys)
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
            announce(done)
            onDone?.()
            void queries.invalidateQueries()
          }}
        />
      ) : null}
    </>
  )
}
