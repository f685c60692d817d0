import { useState } from 'react'
import { Button } from './button.tsx'
import { texts } from './texts.ts'

type Props = {
  text: string
  label: string
  /** The thing copied, for screen readers. */
  of?: string
}

/** Copies a text and confirms it. */
export function CopyButton({ text, label, of }: Props) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 3_000)
  }
  return (
    <span className="inline-flex items-center gap-3">
      <Button look="second" onClick={copy}>
        {label}
        {of ? <span className="sr-only">: {of}</span> : null}
      </Button>
      <span role="status" className="font-medium text-good">
        {isCopied ? texts.copied : ''}
      </span>
    </span>
  )
}
