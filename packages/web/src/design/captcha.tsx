import { type ReactNode, useEffect, useRef, useState } from 'react'
import { captcha } from '../api/addresses.ts'
import { asProblem, Problem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { Alert } from './feedback.tsx'
import { texts } from './texts.ts'
import { Waiting } from './waiting.tsx'

/** The member of the request body. */
type CaptchaAnswer = { g_recaptcha_response?: string }

type Guard = {
  /** The captcha for the form; null if it is off. */
  field: ReactNode
  /** Runs a request with a solution. A solution works for one request. */
  solved: <Answer>(act: (solution: CaptchaAnswer) => Promise<Answer>) => Promise<Answer>
}

const problem = (error: string) => new Problem(400, { error, code: 'wrong_captcha' })

/** Protects a form against bots. */
export function useCaptcha(): Guard {
  const [solution, setSolution] = useState('')
  const [round, setRound] = useState(0)
  if (captcha.key === '') return { field: null, solved: (act) => act({}) }
  return {
    field: <Captcha round={round} onSolution={setSolution} />,
    async solved(act) {
      if (solution === '') throw problem(texts.captcha.missing)
      try {
        return await act({ g_recaptcha_response: solution })
      } catch (error) {
        throw asProblem(error).code === 'wrong_captcha' ? problem(texts.captcha.refused) : error
      } finally {
        setSolution('')
        setRound(round + 1)
      }
    },
  }
}

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
function Captcha(props: Props) {
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

type Options = {
  sitekey: string
  theme: 'light' | 'dark'
  size: 'normal' | 'compact'
  callback: (solution: string) => void
  'expired-callback': () => void
  'error-callback': () => void
}

/** The part of the reCAPTCHA interface that we use. */
type Recaptcha = {
  ready: (whenReady: () => void) => void
  render: (place: HTMLElement, options: Options) => number
  reset: (widget: number) => void
}

declare global {
  interface Window {
    grecaptcha?: Recaptcha
  }
}

let loading: Promise<Recaptcha> | undefined

/** Loads the captcha script on the first page that needs it. */
function loadRecaptcha(): Promise<Recaptcha> {
  loading ??= new Promise<Recaptcha>((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      loading = undefined
      script.remove()
      reject(new Error('The captcha could not be loaded'))
    }
    script.onload = () => {
      const { grecaptcha } = window
      if (grecaptcha) grecaptcha.ready(() => resolve(grecaptcha))
      else fail()
    }
    script.onerror = fail
    script.src = `${captcha.script}?render=explicit`
    document.head.append(script)
  })
  return loading
}
