import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { addresses } from '../../../api/addresses.ts'
import { type Organization, organizationQuery } from '../../../api/admin.ts'
import { announce } from '../../../design/announcements.ts'
import { Button, buttonLook } from '../../../design/button.tsx'
import { CopyButton } from '../../../design/copy-button.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { valueIn } from '../../../design/field.tsx'
import { DetailFallback, Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { Panel } from '../parts/panel.tsx'
import { BasicFields } from './basic-fields.tsx'
import { BrandingForm } from './branding-form.tsx'
import { Members } from './members.tsx'
import { changeOrganization, type OrganizationChange, ownBrandingQuery } from './queries.ts'
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

function Basics({ organization }: { organization: Organization }) {
  const { id, partner_path } = organization
  const [change, setChange] = useState<OrganizationChange>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setChange({
      name: valueIn(form, 'name'),
      partner_path: valueIn(form, 'partner_path'),
      client_fee_percent: Number(valueIn(form, 'client_fee_percent') || 0),
    })
  }
  const isMoved = change !== undefined && partner_path && change.partner_path !== partner_path
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <BasicFields organization={organization} />
      <Button type="submit" className="justify-self-start">
        {texts.save}
      </Button>
      {change ? (
        <ConfirmDialog
          title={texts.saveTitle}
          text={isMoved ? texts.pathText : texts.saveText}
          action={texts.save}
          isDangerous={Boolean(isMoved)}
          asksReason
          run={(reason) => changeOrganization(id, { ...change, reason })}
          onDone={() => announce(texts.saved)}
          onClose={() => setChange(undefined)}
        />
      ) : null}
    </form>
  )
}

const linksTexts = texts.links
const flows = [
  { name: linksTexts.create, end: '' },
  { name: linksTexts.connect, end: '/link-email' },
  { name: linksTexts.manage, end: '/manage' },
]

type Props = { organization: Organization; isOpen: boolean }

/** The partner URLs, to copy. */
const PartnerLinks = ({ organization: { id, partner_path }, isOpen }: Props) => (
  <>
    <p className={isOpen ? 'text-soft' : 'font-medium text-wrong'}>
      {isOpen ? linksTexts.text : linksTexts.none}
    </p>
    <ul className="grid gap-3">
      {flows.map(({ name, end }) => {
        const address = `${addresses.web}/partner/${partner_path ?? id}${end}`
        return (
          <li key={end} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span className="grid min-w-0">
              <span className="font-semibold">{name}</span>
              <a href={address} className="wrap-anywhere text-main underline underline-offset-4">
                {address}
              </a>
            </span>
            <CopyButton text={address} label={linksTexts.copy} of={name} />
          </li>
        )
      })}
    </ul>
  </>
)
