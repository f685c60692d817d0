import { globalRoles } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { Badge } from '../../../design/badge.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { optionsOf } from '../../../design/field.tsx'
import { FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { searchFilter } from '../read-input.ts'
import { texts as adminTexts } from '../texts.ts'
import { userPageQuery } from './queries.ts'
import { texts } from './texts.ts'

const roleOptions = optionsOf(globalRoles, adminTexts.people.roles)

export function UsersPage() {
  const { page, filters, field } = useList({ q: 'text', role: globalRoles })
  const { q, role } = filters
  const filter = { ...searchFilter(q), ...omitEmpty({ role }) }
  const answer = useQuery(userPageQuery(page, filter))
  return (
    <ListPage
      title={adminTexts.sections.users}
      filters={
        <Filters label={texts.filters}>
          <SearchField label={texts.search} hint={texts.searchHint} {...field('q')} />
          <FilterSelect
            label={texts.role}
            all={texts.everyRole}
            options={roleOptions}
            {...field('role')}
          />
        </Filters>
      }
      answer={answer}
      texts={texts}
      columns={columns}
      keyOf={({ id }) => id}
      csv={{ path: '/users/export', name: 'users', filters: filter }}
      empty={texts.notFound}
    />
  )
}

type Row = {
  id: string
  email: string | null
  alternate_id: string | null
  first_name: string | null
  last_name: string | null
  role: string
  emoji_ids: string[]
  email_verified_at: string | null
  deactivated_at: string | null
  created_at: string
}

const columns: Column<Row>[] = [
  { title: texts.columns.who, show: (row) => <UserCell {...row} /> },
  {
    title: texts.columns.role,
    show: ({ role }) =>
      role === 'User' ? adminTexts.people.roles.User : <Badge>{nameOfRole(role)}</Badge>,
  },
  {
    title: texts.columns.ids,
    isAtEnd: true,
    show: ({ emoji_ids }) => <span className="tabular-nums">{emoji_ids.length}</span>,
  },
  { title: texts.columns.state, show: (row) => <State {...row} /> },
  { title: texts.columns.joined, show: ({ created_at }) => <When at={created_at} /> },
]

const nameOfRole = (role: string): string =>
  globalRoles.some((one) => one === role)
    ? adminTexts.people.roles[role as keyof typeof adminTexts.people.roles]
    : role

function UserCell({ id, email, alternate_id, first_name, last_name }: Row) {
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return (
    <span className="grid gap-0.5">
      <Link
        to="/admin/users/$id"
        params={{ id }}
        className="min-h-6 font-semibold wrap-anywhere text-main underline underline-offset-4"
      >
        {email ?? alternate_id ?? adminTexts.people.nameless}
      </Link>
      {name ? <span className="text-sm wrap-anywhere text-soft">{name}</span> : null}
    </span>
  )
}

function State({ deactivated_at, email, email_verified_at }: Row) {
  if (deactivated_at) return <Badge tone="wrong">{adminTexts.people.states.deactivated}</Badge>
  if (email && !email_verified_at) return <Badge>{adminTexts.people.states.unconfirmed}</Badge>
  return <Badge tone="good">{adminTexts.people.states.active}</Badge>
}
