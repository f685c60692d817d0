import { Badge } from '../../../design/badge.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { PersonLink } from '../parts/links.tsx'
import { Details } from './details.tsx'
import type { AuditEntry } from './queries.ts'
import { eventTexts, texts } from './texts.ts'

export const auditColumns: Column<AuditEntry>[] = [
  { title: texts.columns.what, show: (entry) => <Sentence {...entry} /> },
  { title: texts.columns.details, show: (entry) => <Details {...entry} /> },
  {
    title: texts.columns.when,
    // The time may wrap below the date; the event needs the space.
    show: ({ at }) => (
      <span className="md:block md:w-28">
        <When at={at} isExact />
      </span>
    ),
  },
]

/** Actor, event and subject as a sentence. */
function Sentence(entry: AuditEntry) {
  const { event, result, actor_id, actor_email, subject_id, subject_email } = entry
  const isAboutAnother = subject_id !== null && subject_id !== actor_id
  return (
    <span className="block wrap-anywhere md:min-w-56">
      <Person id={actor_id} email={actor_email} />{' '}
      <span className="font-semibold">{eventTexts[event] ?? event}</span>
      {isAboutAnother ? (
        <>
          {' '}
          {texts.about} <Person id={subject_id} email={subject_email} />
        </>
      ) : null}
      {result === 'refused' ? (
        <>
          {' '}
          <Badge tone="wrong">{texts.refused}</Badge>
        </>
      ) : null}
    </span>
  )
}

const Person = ({ id, email }: { id: string | null; email: string | null }) =>
  id ? <PersonLink id={id} email={email} nameless={texts.gone} /> : texts.service
