import { type FormEvent, useState } from 'react'
import type { Organization } from '../../../api/admin-organizations.ts'
import type { Branding } from '../../../api/partners.ts'
import type { Problem } from '../../../api/problem.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { Field } from '../../../design/field.tsx'
import { BrandingPreview } from './branding-preview.tsx'
import { brandingOf, draftOf, isReturnLink, type Draft as Looks, wrongCurrency } from './looks.ts'
import { type NewBranding, setBranding } from './queries.ts'
import { brandingTexts as texts } from './texts.ts'

type Props = { organization: Organization; branding: Branding | null }

/** Edits the branding of a partner, with a live preview. */
export function BrandingForm({ organization, branding }: Props) {
  const [looks, setLooks] = useState<Looks>(() => draftOf(branding))
  const [newBranding, setNewBranding] = useState<NewBranding>()
  /** Errors appear after the first submit, not while typing. */
  const [isSent, setSent] = useState(false)
  /** API errors of the fields, until a field changes. */
  const [refusedProblem, setRefusedProblem] = useState<Problem>()
  const wrong = wrongCurrency(looks.currencies)
  const isLinkWrong = !isReturnLink(looks.return_link)
  const change = (part: Partial<Looks>) => {
    setLooks({ ...looks, ...part })
    setRefusedProblem(undefined)
  }
  const problemIn = (field: keyof Looks) => {
    if (isSent && field === 'currencies' && wrong) return texts.currenciesWrong(wrong)
    if (isSent && field === 'return_link' && isLinkWrong) return texts.returnWrong
    return refusedProblem?.in(field)
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setSent(true)
    if (!wrong && !isLinkWrong) setNewBranding(brandingOf(looks))
  }
  return (
    <div className="grid items-start gap-6 xl:grid-cols-2">
      <form className="grid gap-4" onSubmit={submit}>
        <Fields looks={looks} change={change} problemIn={problemIn} />
        <Button type="submit" className="justify-self-start">
          {texts.save}
        </Button>
      </form>
      <BrandingPreview name={organization.name} branding={brandingOf(looks)} />
      {newBranding ? (
        <ConfirmDialog
          title={texts.saveTitle}
          text={<ChangeSummary before={branding?.return_link} after={newBranding.return_link} />}
          action={texts.save}
          isDangerous={branding?.return_link !== newBranding.return_link}
          asksReason
          run={(reason) => setBranding(organization.id, { ...newBranding, reason })}
          onDone={() => announce(texts.saved)}
          onWrong={setRefusedProblem}
          onClose={() => setNewBranding(undefined)}
        />
      ) : null}
    </div>
  )
}

const ChangeSummary = ({ before, after }: { before: string | undefined; after: string }) => (
  <div className="grid gap-2">
    <p>{texts.saveText}</p>
    {before === after ? null : (
      <>
        <p>{texts.linkText}</p>
        <p className="font-semibold wrap-anywhere text-ink">{after}</p>
        {before ? (
          <p className="text-sm">
            {texts.linkBefore} <span className="wrap-anywhere">{before}</span>
          </p>
        ) : null}
      </>
    )}
  </div>
)

type FieldsProps = {
  looks: Looks
  change: (part: Partial<Looks>) => void
  problemIn: (field: keyof Looks) => string | undefined
}

const Fields = ({ looks, change, problemIn }: FieldsProps) => (
  <>
    <Text
      label={texts.returnLink}
      hint={texts.returnHint}
      problem={problemIn('return_link')}
      required
      value={looks.return_link}
      onType={(return_link) => change({ return_link })}
    />
    <Text
      label={texts.logo}
      hint={texts.logoHint}
      problem={problemIn('logo')}
      value={looks.logo}
      onType={(logo) => change({ logo })}
    />
    <details
      ref={(more) => {
        // Keep it open while it contains an error.
        if (more && (problemIn('logo_small') || problemIn('logo_thumbnail'))) more.open = true
      }}
    >
      <summary className="min-h-11 cursor-pointer py-2 font-medium text-main">
        {texts.moreLogos}
      </summary>
      <div className="grid gap-4 pt-2">
        <Text
          label={texts.logoSmall}
          problem={problemIn('logo_small')}
          value={looks.logo_small}
          onType={(logo_small) => change({ logo_small })}
        />
        <Text
          label={texts.logoThumbnail}
          problem={problemIn('logo_thumbnail')}
          value={looks.logo_thumbnail}
          onType={(logo_thumbnail) => change({ logo_thumbnail })}
        />
      </div>
    </details>
    <Text
      label={texts.currencies}
      hint={texts.currenciesHint}
      value={looks.currencies}
      problem={problemIn('currencies')}
      onType={(currencies) => change({ currencies })}
    />
    <Checkbox
      label={texts.requiresEmail}
      checked={looks.requires_email}
      onChange={({ currentTarget }) => change({ requires_email: currentTarget.checked })}
    />
  </>
)

type TextProps = {
  label: string
  hint?: string
  problem?: string | undefined
  required?: boolean
  value: string
  onType: (value: string) => void
}

const Text = ({ onType, ...field }: TextProps) => (
  <Field
    {...field}
    maxLength={2_048}
    autoCapitalize="none"
    autoComplete="off"
    spellCheck={false}
    onChange={({ currentTarget }) => onType(currentTarget.value)}
  />
)
