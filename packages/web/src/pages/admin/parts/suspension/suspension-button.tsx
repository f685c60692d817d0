import { spokenNames } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../../../design/badge.tsx'
import { AskButton } from '../ask-button.tsx'
import { suspensionActions, suspensionsQuery } from './queries.ts'
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

export const SuspendedBadge = () => <Badge tone="wrong">{texts.badge}</Badge>

/** The suspended ids of a user, in their display format; undefined while they load. */
export function useSuspendedIds(user_id: string): ReadonlySet<string> | undefined {
  const { data } = useQuery(suspensionsQuery(user_id))
  return data && new Set(data.data.map(({ emoji_id }) => emoji_id))
}
