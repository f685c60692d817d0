import { useEffect, useRef } from 'react'
import { CopyButton } from '../../../design/copy-button.tsx'
import { texts } from './texts.ts'

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
