import { useQuery } from '@tanstack/react-query'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { IdLink, OrganizationLink, PersonLink } from '../parts/links.tsx'
import { SuspensionButton } from '../parts/suspension/suspension-button.tsx'
import { readTypedId } from '../read-input.ts'
import { texts as adminTexts } from '../texts.ts'
import { type Suspension, suspensionPageQuery } from './queries.ts'
import { texts } from './texts.ts'

/** The ids that are suspended now. */
export function SuspensionsPage() {
  const { page, filters, field } = useList({ q: 'text' })
  const filter = omitEmpty({ q: filters.q && (readTypedId(filters.q) ?? filters.q) })
  const answer = useQuery(suspensionPageQuery(page, filter))
  return (
    <ListPage
      title={adminTexts.sections.suspensions}
      filters={
        <Filters label={texts.filters}>
          <SearchField label={texts.search} hint={texts.searchHint} {...field('q')} />
        </Filters>
      }
      answer={answer}
      csv={{ path: '/admin/suspensions/export', name: 'suspended-ids', filters: filter }}
      texts={texts}
      columns={columns}
      keyOf={({ canonical_format }) => canonical_format}
      empty={texts.notFound}
    />
  )
}

const columns: Column<Suspension>[] = [
  { title: texts.columns.id, show: ({ emoji_id }) => <IdLink id={emoji_id} /> },
  {
    title: texts.columns.reason,
    isLong: true,
    show: ({ reason, with_owner }) => (
      <>
        {reason}
        {with_owner ? <span className="block text-sm text-soft">{texts.withOwner}</span> : null}
      </>
    ),
  },
  { title: texts.columns.owner, show: (entry) => <Owner {...entry} /> },
  {
    title: texts.columns.by,
    show: ({ suspended_by, suspended_by_email }) =>
      suspended_by ? (
        <PersonLink id={suspended_by} email={suspended_by_email} nameless={texts.unknown} />
      ) : (
        texts.unknown
      ),
  },
  {
    title: texts.columns.since,
    show: ({ suspended_at }) => (suspended_at ? <When at={suspended_at} /> : null),
  },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: ({ emoji_id }) => <SuspensionButton id={emoji_id} isSuspended />,
  },
]

function Owner({ user_id, owner_email, organization_id, organization_name }: Suspension) {
  if (organization_id) {
    return (
      <OrganizationLink id={organization_id}>{organization_name ?? texts.unknown}</OrganizationLink>
    )
  }
  return user_id ? <PersonLink id={user_id} email={owner_email} /> : texts.noOwner
}
