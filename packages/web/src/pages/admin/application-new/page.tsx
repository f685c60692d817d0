import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { organizationPageQuery } from '../../../api/admin.ts'
import { asProblem } from '../../../api/problem.ts'
import { announce } from '../../../design/announcements.ts'
import { Button, buttonLook } from '../../../design/button.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { ReasonField, Select, valueIn } from '../../../design/field.tsx'
import { SearchField } from '../../../design/filters.tsx'
import { readListSearch } from '../../../design/list-search.ts'
import { Section } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import {
  ApplicationFields,
  applicationIn,
  ClientId,
  ShownSecret,
} from '../application/application-fields.tsx'
import { type ApplicationWithSecret, createApplication } from './queries.ts'
import { texts } from './texts.ts'

export function NewApplicationPage() {
  const { organization } = readListSearch(useSearch({ strict: false }))
  const createMutation = useAction({
    mutationFn: createApplication,
    onSuccess: ({ name }) => announce(texts.saved(name)),
  })
  if (createMutation.data) return <NewSecret application={createMutation.data} />
  const problem = createMutation.error ? asProblem(createMutation.error) : undefined
  return (
    <Section title={texts.title} text={texts.text}>
      <Card>
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            const form = event.currentTarget
            const organization_id = valueIn(form, 'organization_id')
            const reason = valueIn(form, 'reason')
            createMutation.mutate({ organization_id, ...applicationIn(form), reason })
          }}
        >
          <OrganizationField
            {...(typeof organization === 'string' ? { chosen: organization } : {})}
            problem={problem?.in('organization_id')}
          />
          <ApplicationFields problemIn={(field) => problem?.in(field)} />
          <ReasonField />
          <ErrorOf
            thrown={createMutation.error}
            shownBy={['organization_id', 'name', 'redirect_uris', 'logo']}
          />
          <Button type="submit" className="justify-self-start" isBusy={createMutation.isPending}>
            {texts.save}
          </Button>
        </form>
      </Card>
    </Section>
  )
}

const NewSecret = ({ application }: { application: ApplicationWithSecret }) => (
  <Section title={texts.saved(application.name)}>
    <Card className="grid gap-5">
      <div className="grid gap-2">
        <h2>{texts.clientId}</h2>
        <ClientId id={application.client_id} />
      </div>
      <ShownSecret secret={application.client_secret} />
      <Link
        to="/admin/applications/$id"
        params={{ id: application.client_id }}
        className={`${buttonLook()} justify-self-start`}
      >
        {texts.goOn}
      </Link>
    </Card>
  </Section>
)

type Props = { chosen?: string; problem: string | undefined }

/** Searches and selects an organization. */
function OrganizationField({ chosen, problem }: Props) {
  const [q, setQ] = useState(chosen ?? '')
  const { data } = useQuery(organizationPageQuery({ page: 0, q }))
  const organizations = data?.data ?? []
  const options = organizations.map(({ id, name, partner_path }) => ({
    value: id,
    text: partner_path ? `${name} (${partner_path})` : name,
  }))
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <SearchField label={texts.findOrganization} hint={texts.findHint} value={q} onChange={setQ} />
      <Select
        key={organizations.length === 1 ? organizations[0]?.id : 'many'}
        label={texts.organization}
        name="organization_id"
        required
        options={
          organizations.length === 1 ? options : [{ value: '', text: texts.choose }, ...options]
        }
        problem={data && organizations.length === 0 ? texts.noOrganization : problem}
      />
    </div>
  )
}
