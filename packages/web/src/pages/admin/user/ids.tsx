import { IdLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.ids
const shownAtMost = 60

export const IdsPanel = ({ ids }: { ids: readonly string[] }) => (
  <Panel title={texts.title(ids.length)}>
    {ids.length === 0 ? <p className="text-soft">{texts.none}</p> : null}
    <ul className="flex flex-wrap gap-x-5 gap-y-3">
      {ids.slice(0, shownAtMost).map((id) => (
        <li key={id}>
          <IdLink id={id} />
        </li>
      ))}
    </ul>
    {ids.length > shownAtMost ? (
      <p className="text-soft">{texts.more(ids.length - shownAtMost)}</p>
    ) : null}
  </Panel>
)
