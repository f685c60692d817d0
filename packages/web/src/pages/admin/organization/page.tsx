import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type Organization, organizationQuery } from '../../../api/admin-organizations.ts'
import { buttonLook } from '../../../design/button.tsx'
import { DetailFallback } from '../../../design/detail-fallback.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { Panel } from '../parts/panel.tsx'
import { Basics } from './basics.tsx'
import { BrandingForm } from './branding-form.tsx'
import { Members } from './members.tsx'
import { PartnerLinks } from './partner-links.tsx'
import { ownBrandingQuery } from './queries.ts'
import { brandingTexts, memberTexts, texts } from './texts.ts'

export function OrganizationPage() {
  const { id = '' } = useParams({ strict: false })
  const { data: organization, error } = useQuery(organizationQuery(id))
  if (!organization) {
    return (
      <Section title={texts.title}>
        <DetailFallback error={error} text={texts.missing} back={<Back />} />
      </Section>
    )
  }
  return (
    <Section
      title={organization.name}
      text={
        <>
          {texts.id}: <code className="wrap-anywhere">{id}</code>
          {organization.pubkey ? (
            <span className="block">
              {texts.pubkey}: <code className="wrap-anywhere">{organization.pubkey}</code>
            </span>
          ) : null}
        </>
      }
    >
      <Parts organization={organization} />
    </Section>
  )
}

const Back = () => (
  <Link to="/admin/organizations" className={buttonLook()}>
    {texts.back}
  </Link>
)

function Parts({ organization }: { organization: Organization }) {
  const { id } = organization
  const { data: branding, error } = useQuery(ownBrandingQuery(id))
  return (
    <>
      <Panel title={texts.parts.basics}>
        <Basics organization={organization} />
      </Panel>
      <Panel title={texts.parts.links}>
        <PartnerLinks organization={organization} isOpen={Boolean(branding)} />
      </Panel>
      <Panel title={texts.parts.branding} text={brandingTexts.text}>
        {branding === undefined ? (
          error ? (
            <ErrorOf thrown={error} />
          ) : (
            <Waiting />
          )
        ) : (
          <BrandingForm organization={organization} branding={branding} />
        )}
      </Panel>
      <Panel title={texts.parts.members} text={memberTexts.text}>
        <Members id={id} isOperator />
      </Panel>
      <Panel title={texts.parts.applications} text={texts.applications.text}>
        <div className="flex flex-wrap gap-3">
          <Link
            to="/admin/applications/new"
            search={{ organization: id } as never}
            className={buttonLook('second')}
          >
            {texts.applications.create}
          </Link>
          <Link
            to="/admin/applications"
            search={{ organization: id } as never}
            className={buttonLook('quiet')}
          >
            {texts.applications.see}
          </Link>
        </div>
      </Panel>
    </>
  )
}
