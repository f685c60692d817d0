import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../design/button.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { CopyButton } from '../../../design/copy-button.tsx'
import { download } from '../../../design/download.ts'
import { Part } from '../../../design/part.tsx'
import { Unsaved } from '../../../design/unsaved.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.backup

type Props = { codes: readonly string[]; onDone: () => void }

/** Shows the codes once; they exist only in the memory of this page. */
export function BackupCodes({ codes, onDone }: Props) {
  const [isStored, setStored] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const text = codes.join('\n')
  // The form that had the focus is unmounted.
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1} className="printed-alone rounded-card outline-none">
      <Unsaved isThere={!isStored} {...texts.leave} />
      <Part title={texts.title} text={texts.on}>
        <ul
          aria-label={texts.label}
          className="grid gap-x-8 gap-y-2 rounded-field border border-hair bg-ground p-4 font-mono text-sm sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code} className="wrap-anywhere">
              {code}
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-3 print:hidden">
          <CopyButton text={text} label={texts.copy} />
          <Button look="second" onClick={() => download(`${texts.head}\n\n${text}\n`, texts.file)}>
            {texts.download}
          </Button>
          <Button look="second" onClick={() => window.print()}>
            {texts.print}
          </Button>
        </div>
        <div className="grid justify-items-start gap-2 print:hidden">
          <Checkbox
            label={texts.stored}
            checked={isStored}
            onChange={({ currentTarget }) => setStored(currentTarget.checked)}
          />
          <Button disabled={!isStored} onClick={onDone}>
            {texts.done}
          </Button>
        </div>
      </Part>
    </div>
  )
}
