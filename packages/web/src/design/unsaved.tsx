import { useBlocker } from '@tanstack/react-router'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { texts } from './texts.ts'

type Address = { pathname: string }

/** A change of the query alone loses nothing. */
const isAnotherPage = ({ current, next }: { current: Address; next: Address }): boolean =>
  current.pathname !== next.pathname

type Props = {
  /** Whether there are unsaved changes. */
  isUnsaved: boolean
  /** Whether a reload restores them, so that the browser need not ask. */
  isStored?: () => boolean
  title?: string
  /** Names the unsaved changes. */
  text?: string
}

/**
 * Guards unsaved changes: a dialog on in-app navigation, and the browser's own prompt on reload or
 * close if they would be lost.
 */
export function Unsaved({
  isUnsaved,
  isStored = () => false,
  title = texts.unsaved.title,
  text = texts.unsaved.text,
}: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: isAnotherPage,
    disabled: !isUnsaved,
    enableBeforeUnload: () => !isStored(),
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Dialog title={title} text={text} onClose={reset}>
      <div className="flex flex-wrap gap-3">
        <Button onClick={reset}>{texts.unsaved.stay}</Button>
        <Button look="second" onClick={proceed}>
          {texts.unsaved.leave}
        </Button>
      </div>
    </Dialog>
  )
}
