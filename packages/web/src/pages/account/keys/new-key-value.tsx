import { useEffect, useRef } from 'react'
import { Button } from '../../../design/button.tsx'
import { CopyButton } from '../../../design/copy-button.tsx'
import { ShownText } from '../../../design/shown-text.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.api.made

/** Shows the full key, which exists only in the memory of this page. */
export function NewKeyValue({ value, onDone }: { value: string; onDone: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  // The form that had the focus is unmounted.
  useEffect(() => place.current?.focus(), [])
  return (
    <div
      ref={place}
      tabIndex={-1}
      className="grid gap-4 rounded-field bg-good-ground p-4 outline-none"
    >
      <h3 className="font-semibold text-good">{texts.title}</h3>
      <p>{texts.text}</p>
      <ShownText label={texts.label} text={value} />
      <div className="flex flex-wrap gap-3">
        <CopyButton text={value} label={texts.copy} />
        <Button onClick={onDone}>{texts.done}</Button>
      </div>
    </div>
  )
}
