import { spokenNames } from '../../../../design/emoji-id.tsx'
import { AskButton } from '../ask-button.tsx'
import { suspensionActions } from './queries.ts'
import { texts } from './texts.ts'

type Props = { id: string; isSuspended: boolean }

/** Suspends an id, or restores it. */
export function SuspensionButton({ id, isSuspended }: Props) {
  const { suspend, restore } = suspensionActions(id)
  const names = spokenNames(id)
  const { label, text, ...dialog } = isSuspended ? texts.restore : texts.suspend
  return (
    <AskButton
      {...dialog}
      label={
        <>
          {label}
          <span className="sr-only"> {names}</span>
        </>
      }
      text={text(names)}
      asksReason
      isDangerous={!isSuspended}
      run={isSuspended ? restore : suspend}
    />
  )
}
