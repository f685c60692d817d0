import { useState } from 'react'
import { addresses } from '../../api/addresses.ts'
import { forgetApplication } from '../../api/waiting-application.ts'
import { Button, buttonLook } from '../../design/button.tsx'
import { texts } from './texts.ts'

/** The bar above all pages while an application waits for an emoji id. */
export default function WaitingBar() {
  const [isHidden, setHidden] = useState(false)
  if (isHidden) return null
  return (
    <section
      aria-label={texts.label}
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-hair bg-card px-4 py-2 shadow-sm"
    >
      <p className="min-w-0 flex-1 basis-48 font-medium">{texts.text}</p>
      <a href={`${addresses.auth}/authorize/resume`} className={buttonLook('second')}>
        {texts.goOn}
      </a>
      <Button
        look="quiet"
        onClick={() => {
          forgetApplication()
          setHidden(true)
        }}
      >
        {texts.hide}
      </Button>
    </section>
  )
}
