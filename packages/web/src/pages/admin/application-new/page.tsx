import { Link, useSearch } from '@tanstack/react-router'
import { asProblem } from '../../../api/problem.ts'
import { announce } from '../../../design/announcements.ts'
import { Button, buttonLook } from '../../../design/button.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { valueIn } from '../../../design/field.tsx'
import { readListSearch } from '../../../design/list-search.ts'
import { ReasonField } from '../../../design/reason-field.tsx'
import { Section } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import { ApplicationFields, applicationIn } from '../application/application-fields.tsx'
import { ClientId } from '../application/client-id.tsx'
import { ShownSecret } from '../application/shown-secret.tsx'
import { OrganizationField } from './organization-field.tsx'
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
