import { useState } from 'react'
import { texts } from '../texts/en.ts'
import { Button } from './button.tsx'

/** Copies a text, and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
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
      </Button>
      <span role="status" className="font-medium text-good">
        {isCopied ? texts.copied : ''}
      </span>
    </span>
  )
}
