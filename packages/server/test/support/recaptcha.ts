import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Mode =
  | 'answer'
  /** Responds with 500. */
  | 'fail'
  /** Accepts requests without responding. */
  | 'hang'
  /** Responds 200 with a page instead of a verdict. */
  | 'babble'

const secret = 'the secret of this site'

/**
 * A real server that speaks reCAPTCHA's `siteverify`: each solution is valid once, for one host.
 */
export async function recaptchaServer() {
  const spent = new Set<string>()
  const hosts = new Map<string, string>()
  const requests: URLSearchParams[] = []
  let mode: Mode = 'answer'
  let count = 0
  let isStrict = false

  const judge = (form: URLSearchParams) => {
    const refuse = (word: string) => ({ success: false, 'error-codes': [word] })
    const solution = form.get('response') ?? ''
    const hostname = hosts.get(solution)
    if (form.get('secret') !== secret) return refuse('invalid-input-secret')
    if (isStrict) return refuse('timeout-or-duplicate')
    if (!hostname) return refuse('invalid-input-response')
    if (spent.has(solution)) return refuse('timeout-or-duplicate')
    spent.add(solution)
    return { success: true, challenge_ts: new Date().toISOString(), hostname }
  }
  const answer = (response: ServerResponse, form: URLSearchParams) => {
    requests.push(form)
    if (mode === 'hang') return
    response.statusCode = mode === 'fail' ? 500 : 200
    response.end(mode === 'babble' ? '<p>Sorry</p>' : JSON.stringify(judge(form)))
  }
  /** The solution that a browser gets on a site. */
  const solve = (hostname = 'localhost'): string => {
    const solution = `solution-${++count}`
    hosts.set(solution, hostname)
    return solution
  }
  let isScriptAway = false
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    if (request.method === 'GET') return answerBrowser(response, pathname)
    const body = Buffer.concat(await request.toArray()).toString()
    answer(response, new URLSearchParams(body))
  })
  const answerBrowser = (response: ServerResponse, path: string) => {
    const isScript = path === '/recaptcha/api.js'
    response.statusCode = isScript && isScriptAway ? 500 : 200
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    const solutions = Array.from({ length: 10 }, () => solve())
    response.end(isScript ? widgetScript(solutions) : widgetPage)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    env: {
      RECAPTCHA_SECRET: secret,
      RECAPTCHA_SITE_KEY: 'the-key-of-this-site',
      RECAPTCHA_URL: `http://127.0.0.1:${port}/recaptcha/api/siteverify`,
      RECAPTCHA_SCRIPT_URL: `http://127.0.0.1:${port}/recaptcha/api.js`,
    },
    asked: requests,
    solve,
    /** Rejects every solution, or accepts them again. */
    refuse(all: boolean) {
      isStrict = all
    },
    /** Stops serving the script to browsers, or serves it again. */
    hideScript(isHidden: boolean) {
      isScriptAway = isHidden
    },
    behave(next: Mode) {
      mode = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The checkbox, in its own frame like the original. */
const widgetPage = `<!doctype html><html lang="en"><title>Captcha</title>
<label><input type="checkbox"> I am a person</label>
<script>
  const box = document.querySelector('input')
  box.onchange = () => parent.postMessage('solved', '*')
  onmessage = () => { box.checked = false }
</script></html>`

/**
 * The part of the original script's interface that pages use. Each tick gives the next solution.
 */
const widgetScript = (solutions: readonly string[]): string => `
  const folder = new URL('.', document.currentScript.src)
  const solutions = ${JSON.stringify(solutions)}
  const frames = []
  window.grecaptcha = {
    ready: (whenReady) => setTimeout(whenReady),
    render(place, options) {
      const frame = document.createElement('iframe')
      frame.title = 'reCAPTCHA'
      frame.dataset.options = JSON.stringify(options)
      frame.width = options.size === 'compact' ? 164 : 304
      frame.height = 78
      frame.src = new URL('frame', folder)
      place.append(frame)
      window.addEventListener('message', ({ source, data }) => {
        if (source !== frame.contentWindow || data !== 'solved') return
        options.callback(solutions.shift())
        frame.dataset.solved = 'yes'
      })
      frame.addEventListener('expire', () => {
        window.grecaptcha.reset(frames.indexOf(frame))
        options['expired-callback']()
      })
      return frames.push(frame) - 1
    },
    reset: (nth) => frames[nth].contentWindow.postMessage('reset', '*'),
  }
  // Without render=explicit the original draws itself into marked places and adds a form field.
  const drawAll = () => {
    for (const place of document.querySelectorAll('.g-recaptcha')) {
      const field = document.createElement('textarea')
      Object.assign(field, { name: 'g-recaptcha-response', hidden: true })
      place.append(field)
      window.grecaptcha.render(place, {
        sitekey: place.dataset.sitekey,
        callback: (solution) => { field.value = solution },
        'expired-callback': () => { field.value = '' },
      })
    }
  }
  if (new URL(document.currentScript.src).searchParams.get('render') !== 'explicit') {
    if (document.readyState === 'loading') addEventListener('DOMContentLoaded', drawAll)
    else drawAll()
  }
`
