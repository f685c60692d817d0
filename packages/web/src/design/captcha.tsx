import { useEffect, useRef, useState } from 'react'
import { captcha } from '../api/addresses.ts'
import { loadRecaptcha } from '../api/recaptcha.ts'
import { Button } from './button.tsx'
import { Alert } from './feedback.tsx'
import { texts } from './texts.ts'
import { Waiting } from './waiting.tsx'

type State = 'loading' | 'shown' | 'expired' | 'broken'
type Props = {
  /** Increases when the current solution was used. */
  round: number
  /** Must be stable: a new function restarts the captcha. */
  onSolution: (solution: string) => void
}

/** The normal width; narrower containers get the compact captcha. */
const usualWidth = 304

/** The captcha of a third party. */
export function Captcha(props: Props) {
  const [tries, setTries] = useState(0)
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 font-semibold">{texts.captcha.label}</legend>
      <Widget key={tries} {...props} tryAgain={() => setTries(tries + 1)} />
    </fieldset>
  )
}

function Widget({ round, onSolution, tryAgain }: Props & { tryAgain: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const widget = useRef<number>(undefined)
  const [state, setState] = useState<State>('loading')
  useEffect(() => {
    let isGone = false
    const show = async () => {
      const recaptcha = await loadRecaptcha()
      if (isGone || !place.current) return
      const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches
      widget.current = recaptcha.render(place.current, {
        sitekey: captcha.key,
        theme: isDark ? 'dark' : 'light',
        size: place.current.clientWidth < usualWidth ? 'compact' : 'normal',
        callback: (solution) => {
          onSolution(solution)
          setState('shown')
        },
        'expired-callback': () => {
          onSolution('')
          setState('expired')
        },
        'error-callback': () => setState('broken'),
      })
      setState('shown')
    }
    show().catch(() => setState('broken'))
    return () => {
      isGone = true
    }
  }, [onSolution])

  useEffect(() => {
    if (round > 0 && widget.current !== undefined) window.grecaptcha?.reset(widget.current)
  }, [round])

  return (
    <>
      {state === 'loading' ? <Waiting text={texts.captcha.loading} /> : null}
      <div ref={place} className={state === 'broken' ? 'hidden' : ''} />
      {state === 'expired' ? <Alert>{texts.captcha.expired}</Alert> : null}
      {state === 'broken' ? (
        <>
          <Alert>{texts.captcha.broken(new URL(captcha.script).host)}</Alert>
          <div>
            <Button look="second" onClick={tryAgain}>
              {texts.captcha.again}
            </Button>
          </div>
        </>
      ) : null}
    </>
  )
}
