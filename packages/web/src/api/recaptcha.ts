import { captcha } from './addresses.ts'

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
export function loadRecaptcha(): Promise<Recaptcha> {
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
