import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Restores the focus after the dialog unmounts. */
function useRestoredFocus(): void {
  const [before] = useState(() => document.activeElement)
  const restoring = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // During development React unmounts and mounts everything once more.
    clearTimeout(restoring.current)
    return () => {
      // Wait until the rest of the page is focusable again.
      restoring.current = setTimeout(() => {
        if (before instanceof HTMLElement && before.isConnected) before.focus()
      })
    }
  }, [before])
}

type Props = {
  title: string
  text?: ReactNode
  /** Escape or a click outside. */
  onClose: () => void
  /** Stays open while an action runs. */
  isBusy?: boolean
  children: ReactNode
}

/** A modal dialog. Open while it is rendered. */
export function Dialog({ title, text, onClose, isBusy = false, children }: Props) {
  useRestoredFocus()
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
