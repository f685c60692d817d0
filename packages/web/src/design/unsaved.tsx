import { useBlocker } from '@tanstack/react-router'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { texts } from './texts.ts'

type Address = { pathname: string }

/** The same page with another question in its address loses nothing. */
const isAnotherPage = ({ current, next }: { current: Address; next: Address }): boolean =>
  current.pathname !== next.pathname

type Props = {
  /** Whether something would be lost. */
  isThere: boolean
  title?: string
  /** What would be lost. */
  text?: string
}

/**
 * What only this page has. Whoever goes to another page is asked here; whoever reloads or closes the
 * window, by the browser.
 */
export function Unsaved({
  isThere,
  title = texts.unsaved.title,
  text = texts.unsaved.text,
}: Props) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: isAnotherPage,
    disabled: !isThere,
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
