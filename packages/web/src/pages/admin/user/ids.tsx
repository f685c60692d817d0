import { useQuery } from '@tanstack/react-query'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Panel } from '../parts/panel.tsx'
import { suspensionsQuery } from '../parts/suspension/queries.ts'
import { SuspendedBadge } from '../parts/suspension/suspended-badge.tsx'
import { SuspensionButton } from '../parts/suspension/suspension-button.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.ids
const shownAtMost = 60

type Props = { user_id: string; ids: readonly string[] }

/** The ids of the account, each with its suspension. */
export function IdsPanel({ user_id, ids }: Props) {
  const { data } = useQuery(suspensionsQuery(user_id))
  const suspended = new Set(data?.data.map(({ emoji_id }) => emoji_id))
  return (
    <Panel title={texts.title(ids.length)}>
      {ids.length === 0 ? <p className="text-soft">{texts.none}</p> : null}
      <ul className="grid gap-3">
        {ids.slice(0, shownAtMost).map((id) => (
          <li key={id} className="flex flex-wrap items-center gap-3">
            <a href={`/${encodeURIComponent(id)}`} className="inline-block rounded-field p-1">
              <EmojiId id={id} size="small" />
            </a>
            {suspended.has(id) ? <SuspendedBadge /> : null}
            {data ? <SuspensionButton id={id} isSuspended={suspended.has(id)} /> : null}
          </li>
        ))}
      </ul>
      {ids.length > shownAtMost ? (
        <p className="text-soft">{texts.more(ids.length - shownAtMost)}</p>
      ) : null}
    </Panel>
  )
}
