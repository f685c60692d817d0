import { textLengths } from '@emojid/core'
import { useEffect, useRef } from 'react'
import type { Application } from '../../../api/admin.ts'
import { CopyButton } from '../../../design/copy-button.tsx'
import { Field, TextArea, valueIn } from '../../../design/field.tsx'
import { linesOf } from '../read-input.ts'
import { fieldTexts, texts } from './texts.ts'

type Props = {
  application?: Application
  problemIn?: (field: string) => string | undefined
}

/** The name, redirect URIs and logo of an application. */
export const ApplicationFields = ({ application, problemIn }: Props) => (
  <>
    <Field
      label={fieldTexts.name}
      hint={fieldTexts.nameHint}
      name="name"
      required
      {...textLengths.name}
      defaultValue={application?.name}
      problem={problemIn?.('name')}
    />
    <TextArea
      label={fieldTexts.redirects}
      hint={fieldTexts.redirectsHint}
      name="redirect_uris"
      required
      autoCapitalize="none"
      spellCheck={false}
      defaultValue={application?.redirect_uris.join('\n')}
      problem={problemIn?.('redirect_uris')}
    />
    <Field
      label={fieldTexts.logo}
      hint={fieldTexts.logoHint}
      name="logo"
      type="url"
      {...textLengths.logo}
      defaultValue={application?.logo ?? ''}
      problem={problemIn?.('logo')}
    />
  </>
)

/** Reads the fields of the form. */
export const applicationIn = (form: HTMLFormElement) => ({
  name: valueIn(form, 'name'),
  redirect_uris: linesOf(valueIn(form, 'redirect_uris')),
  logo: valueIn(form, 'logo') || null,
})

export const ClientId = ({ id }: { id: string }) => (
  <div className="flex flex-wrap items-center gap-3">
    <code className="wrap-anywhere">{id}</code>
    <CopyButton text={id} label={texts.copyId} />
  </div>
)

/** A new secret. Takes the focus, because it is shown only once. */
export function ShownSecret({ secret }: { secret: string }) {
  const place = useRef<HTMLDivElement>(null)
  // Wait until the dialog restores the focus.
  useEffect(() => {
    const timer = setTimeout(() => place.current?.focus(), 100)
    return () => clearTimeout(timer)
  }, [])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs
    <div
      ref={place}
      role="group"
      tabIndex={-1}
      aria-label={texts.secret}
      className="grid gap-3 rounded-field border border-main bg-tint p-4"
    >
      <p className="font-semibold">{texts.shownOnce}</p>
      <code className="rounded-lg bg-card px-3 py-2 text-sm wrap-anywhere">{secret}</code>
      <CopyButton text={secret} label={texts.copySecret} />
    </div>
  )
}
