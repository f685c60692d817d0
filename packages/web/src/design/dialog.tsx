import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useState } from 'react'

/** A dialog is gone as soon as it is answered: where the keyboard was, it is put back by hand. */
function useFocusKept(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // Only after the rest of the page can be reached again.
      setTimeout(() => before instanceof HTMLElement && before.isConnected && before.focus())
    },
    [before],
  )
}

type Props = {
  title: string
  text?: ReactNode
  /** Escape, or a press beside it. */
  onClose: () => void
  /** Work is under way: it stays until that is done. */
  isBusy?: boolean
  children: ReactNode
}

/** Asks or shows something in place. It is open for as long as it is rendered. */
export function Dialog({ title, text, onClose, isBusy = false, children }: Props) {
  useFocusKept()
  return (
    <Base.Root
      open
      disablePointerDismissal={isBusy}
      onOpenChange={(isOpen) => isOpen || isBusy || onClose()}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 bg-black/50" />
        <Base.Popup
          finalFocus={false}
          className="fixed top-1/2 left-1/2 grid max-h-[90vh] w-[min(28rem,calc(100vw-2rem))] -translate-1/2 gap-4 overflow-auto rounded-card border border-hair bg-card p-6 text-ink shadow-xl"
        >
          <Base.Title className="text-xl font-bold tracking-tight">{title}</Base.Title>
          {text ? (
            <Base.Description render={<div />} className="text-soft">
              {text}
            </Base.Description>
          ) : null}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
