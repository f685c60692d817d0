import { textLengths } from '@emojid/core'
import { type FormEvent, useState } from 'react'
import type { Organization } from '../../../api/admin.ts'
import type { Flow } from '../../../api/partner-visit.ts'
import type { Branding } from '../../../api/partners.ts'
import type { Problem } from '../../../api/problem.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { Field } from '../../../design/field.tsx'
import { BrandTop, Logo } from '../../partner/brand.tsx'
import { useSettled } from '../../search/use-settled.ts'
import { texts as sharedTexts } from '../../texts.ts'
import { type NewBranding, setBranding } from './queries.ts'
import { texts as pageTexts, brandingTexts as texts } from './texts.ts'

type Props = { organization: Organization; branding: Branding | null }

/** Edits the branding of a partner, with a live preview. */
export function BrandingForm({ organization, branding }: Props) {
  const [looks, setLooks] = useState<Draft>(() => draftOf(branding))
  const [newBranding, setNewBranding] = useState<NewBranding>()
  /** Errors appear after the first submit, not while typing. */
  const [isSent, setSent] = useState(false)
  /** API errors of the fields, until a field changes. */
  const [refusedProblem, setRefusedProblem] = useState<Problem>()
  const wrong = wrongCurrency(looks.currencies)
  const isLinkWrong = !isReturnLink(looks.return_link)
  const change = (part: Partial<Draft>) => {
    setLooks({ ...looks, ...part })
    setRefusedProblem(undefined)
  }
  const problemIn = (field: keyof Draft) => {
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
  looks: Draft
  change: (part: Partial<Draft>) => void
  problemIn: (field: keyof Draft) => string | undefined
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
    {...textLengths.url}
    autoCapitalize="none"
    autoComplete="off"
    spellCheck={false}
    onChange={({ currentTarget }) => onType(currentTarget.value)}
  />
)

const { links } = pageTexts
const flows = [
  { flow: 'create', name: links.create },
  { flow: 'connect', name: links.connect },
  { flow: 'manage', name: links.manage },
] as const

type BrandingPreviewProps = { name: string; branding: NewBranding }

/** A preview made of the components of the partner pages. */
function BrandingPreview({ name, branding }: BrandingPreviewProps) {
  const [flow, setFlow] = useState<Flow>('create')
  const { return_link } = branding
  const brand = {
    name,
    logo: usePicture(branding.logo),
    logo_small: usePicture(branding.logo_small),
    logo_thumbnail: usePicture(branding.logo_thumbnail),
  }
  return (
    <section aria-label={texts.preview} className="grid gap-4 rounded-card bg-ground p-4">
      <div className="grid gap-1">
        <h3 className="font-semibold">{texts.preview}</h3>
        <p className="text-sm text-soft">{texts.previewText}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {flows.map((one) => (
          <button
            key={one.flow}
            type="button"
            aria-pressed={flow === one.flow}
            onClick={() => setFlow(one.flow)}
            className="min-h-9 rounded-full border border-line px-3 text-sm font-medium aria-pressed:border-main aria-pressed:bg-main aria-pressed:text-on-main"
          >
            {one.name}
          </button>
        ))}
      </div>
      <div className="rounded-card border border-hair bg-card p-4">
        <BrandTop flow={flow} branding={brand} isPreview />
      </div>
      <p className="text-sm text-soft">{texts.bar}</p>
      <div className="flex items-center gap-3 rounded-card border border-hair bg-card px-4 py-2">
        <Logo branding={brand} className="size-9 p-1" />
        <p className="min-w-0 font-medium wrap-anywhere">{sharedTexts.visitBar[flow](name)}</p>
      </div>
      <dl className="grid gap-2 text-sm">
        <div>
          <dt className="text-soft">{texts.back}</dt>
          <dd className="font-medium wrap-anywhere">{return_link || texts.noLink}</dd>
        </div>
        <div>
          <dt className="text-soft">{texts.offers}</dt>
          <dd className="font-medium wrap-anywhere">
            {branding.currencies.join(', ') || texts.everyCurrency}
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** Loads the picture after a pause in typing, not for each partial URL. */
function usePicture(address = ''): string | null {
  const settledAddress = useSettled(address, 600)
  return /^https?:\/\/[^/]/i.test(settledAddress) ? settledAddress : null
}

/** The form state of a branding. */
type Draft = {
  return_link: string
  logo: string
  logo_small: string
  logo_thumbnail: string
  currencies: string
  requires_email: boolean
}

const draftOf = (branding: Branding | null): Draft => ({
  return_link: branding?.return_link ?? '',
  logo: branding?.logo ?? '',
  logo_small: branding?.logo_small ?? '',
  logo_thumbnail: branding?.logo_thumbnail ?? '',
  currencies: branding?.currencies.join(', ') ?? '',
  requires_email: branding?.requires_email ?? false,
})

const currenciesOf = (text: string): string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((one) => one !== '')),
]

/** The first text that is neither a ticker nor a tag by its form; the service checks the rest. */
const wrongCurrency = (text: string): string | undefined =>
  currenciesOf(text).find((one) => !/^[A-Za-z0-9][A-Za-z0-9:._-]{0,31}$/.test(one))

/** Whether it is an https or app link by its form; the service rejects more schemes. */
const isReturnLink = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\/[^\s#]+$/i.test(text.trim()) &&
  !/^(javascript|vbscript|data|file|blob):/i.test(text.trim())

function brandingOf(draft: Draft): NewBranding {
  const logos = (['logo', 'logo_small', 'logo_thumbnail'] as const).flatMap((size) => {
    const address = draft[size].trim()
    return address === '' ? [] : [[size, address] as const]
  })
  return {
    return_link: draft.return_link.trim(),
    currencies: currenciesOf(draft.currencies),
    requires_email: draft.requires_email,
    ...Object.fromEntries(logos),
  }
}
