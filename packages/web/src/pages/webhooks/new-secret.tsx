import { useEffect, useRef } from 'react'
import { Button } from '../../design/button.tsx'
import { CopyButton } from '../../design/copy-button.tsx'
import { ShownText } from '../../design/shown-text.tsx'

type Props = {
  texts: { title: string; text: string; label: string; copy: string; done: string }
  secret: string
  onDone: () => void
}

/** Shows the secret, which exists only in the memory of this page. */
export function NewSecret({ texts, secret, onDone }: Props) {
  const place = useRef<HTMLDivElement>(null)
  // The form that had the focus is unmounted.
  useEffect(() => place.current?.focus(), [])
  return (
    <div
      ref={place}
      tabIndex={-1}
      className="grid gap-4 rounded-field bg-good-ground p-4 outline-none"
    >
      <h2 className="font-semibold text-good">{texts.title}</h2>
      <p>{texts.text}</p>
      <ShownText label={texts.label} text={secret} />
      <div className="flex flex-wrap gap-3">
        <CopyButton text={secret} label={texts.copy} />
        <Button onClick={onDone}>{texts.done}</Button>
      </div>
    </div>
  )
}
