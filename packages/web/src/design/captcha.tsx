import { useEffect, useRef, useState } from 'react'
import { captcha } from '../api/addresses.ts'
import { loadRecaptcha } from '../api/recaptcha.ts'
import { Button } from './button.tsx'
import { Alert } from './feedback.tsx'
import { texts } from './texts.ts'
import { Waiting } from './waiting.tsx'

type State = 'loading' | 'shown' | 'expired' | 'broken'
type Props = {
  /** Grows when the solution at hand was used. */
  round: number
  /** Always the same function: another one would begin anew. */
  onSolution: (solution: string) => void
}

/** Its usual size; where there is less room, it has a smaller one. */
const usualWidth = 304

/** A check that somebody is a person, made by others. */
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
