import { IdLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { SuspendedBadge } from '../parts/suspension/suspended-badge.tsx'
import { SuspensionButton } from '../parts/suspension/suspension-button.tsx'
import { useSuspendedIds } from '../parts/suspension/use-suspended-ids.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.ids
const shownAtMost = 60

type Props = { user_id: string; ids: readonly string[] }

/** The ids of the account, each with its suspension. */
export function IdsPanel({ user_id, ids }: Props) {
  const suspended = useSuspendedIds(user_id)
  return (
    <Panel title={texts.title(ids.length)}>
      {ids.length === 0 ? <p className="text-soft">{texts.none}</p> : null}
      <ul className="grid gap-3">
        {ids.slice(0, shownAtMost).map((id) => (
          <li key={id} className="flex flex-wrap items-center gap-3">
            <IdLink id={id} />
            {suspended?.has(id) ? <SuspendedBadge /> : null}
            {suspended ? <SuspensionButton id={id} isSuspended={suspended.has(id)} /> : null}
          </li>
        ))}
      </ul>
      {ids.length > shownAtMost ? (
        <p className="text-soft">{texts.more(ids.length - shownAtMost)}</p>
      ) : null}
    </Panel>
  )
}
