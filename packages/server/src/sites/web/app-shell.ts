import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import statics from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CaptchaWidget } from '../../platform/captcha/captcha.ts'
import { etagOf } from '../../platform/http/etag.ts'
import { compressible, sendCompressed } from '../../platform/http/pages/compress.ts'
import { type Html, html } from '../../platform/http/pages/html.ts'
import type { SiteLinks } from '../../platform/http/pages/links.ts'
import { captchaPolicy } from './captcha-policy.ts'
import { serveScript } from './ids/files.ts'

/** Built by `npm start` from packages/web. */
const built = fileURLToPath(new URL('../../../../web/dist/', import.meta.url))

type Addresses = { webUrl: string; baseUrl: string; authUrl: string }
type Settings = {
  freeCeiling: number
  companyFee: number
  captcha: CaptchaWidget | undefined
  mailPageUrl: string
  links: SiteLinks
  company: { name: string; tax_id: string }
}

/** The files of the app, as the build writes them into its page. */
const appFiles =
  /<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>|<link rel="(?:stylesheet|modulepreload)"[^>]*href="([^"]+)"[^>]*>/g

/** Content that the server paints before the app runs. */
export type FirstView = {
  /** The title beside the name of the site. */
  title?: string
  head: Html
  /** Has an element `start` with the content, and an empty one `app`. */
  body: Html
  /** Scripts of this view, loaded together with the app. */
  needed: readonly string[]
  /** Files that the next step of a person needs, fetched while they read. */
  ahead?: readonly string[]
}

type Manifest = Record<string, { file: string; imports?: string[] }>

/** The script of a source file of the app and the scripts that it imports, without those of the first page. */
function readScripts(): (source: string) => string[] {
  const manifest = JSON.parse(readFileSync(`${built}manifest.json`, 'utf8')) as Manifest
  const filesOf = (source: string): string[] => {
    const { file, imports = [] } = manifest[source] ?? {}
    if (!file) throw new Error(`The app has no script of ${source}. Build it again: npm run build.`)
    const own = imports.filter((name) => name !== 'index.html')
    return [...new Set([`/${file}`, ...own.flatMap(filesOf)])]
  }
  return filesOf
}

/** The single page of the browser app, and its files. */
export async function createAppShell(
  app: FastifyInstance,
  addresses: Addresses,
  { freeCeiling, companyFee, captcha, mailPageUrl, links, company }: Settings,
) {
  const file = `${built}index.html`
  if (!existsSync(file))
    throw new Error(`${file} is missing. Run npm start or npm test to build it.`)
  const { site_key: captchaKey = '', script_url: captchaScript = '' } = captcha ?? {}
  const settings = {
    ...addresses,
    freeCeiling,
    companyFee,
    captchaKey,
    captchaScript,
    keptMails: mailPageUrl,
    termsUrl: links.terms ?? '',
    privacyUrl: links.privacy ?? '',
    imprintUrl: links.imprint ?? '',
    companyName: company.name,
    companyTaxId: company.tax_id,
    supportUrl: links.support ?? '',
  }
  const page = Object.entries(settings).reduce(
    (text, [name, value]) => text.replaceAll(`%${name}%`, () => html`${value}`.text),
    readFileSync(file, 'utf8'),
  )
  const origins = Object.values(addresses).map((url) => new URL(url).origin)
  const own = [...new Set(["'self'", ...origins])].join(' ')
  const ofCaptcha = captcha ? captchaPolicy(captcha.script_url) : { scripts: '', frames: '' }
  const policy =
    `default-src 'none'; script-src 'self'${ofCaptcha.scripts}; ${ofCaptcha.frames}style-src 'self' 'unsafe-inline'; img-src ${own} data: https:; ` +
    `media-src ${own}; font-src 'self'; connect-src ${own}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'`
  await app.register(statics, {
    root: `${built}assets`,
    prefix: '/assets/',
    decorateReply: false,
    immutable: true,
    maxAge: '365d',
    index: false,
    preCompressed: true,
  })
  const addHeaders = (reply: FastifyReply): FastifyReply =>
    reply
      .header('content-security-policy', policy)
      // Isolates the window from its opener and from windows that it opens.
      .header('cross-origin-opener-policy', 'same-origin')
  const content = Buffer.from(page)
  const compressedPage = compressible(content, etagOf(content))
  const startScript = serveScript(app, 'start')
  const files = [...page.matchAll(appFiles)].map(([, script, link]) => script ?? link ?? '')
  const preloads = files.map((name) =>
    name.endsWith('.css')
      ? html`<link rel="preload" as="style" crossorigin href="${name}">`
      : html`<link rel="modulepreload" crossorigin href="${name}">`,
  )
  /** The page with this view in it. Neither scripts nor style sheets of the app delay its first paint. */
  const paint = (view: FirstView, { isEager }: { isEager: boolean }): string => {
    const { title, head, body, needed, ahead = [] } = view
    const starts = isEager ? html`${preloads}` : ''
    const loader = html`${head}${starts}<script src="${startScript}" defer data-files="${files.join(' ')}" data-needed="${needed.join(' ')}" data-ahead="${ahead.join(' ')}" data-starts="${isEager ? 'now' : 'touched'}"><\/script>`
    return (
      page
        .replace(appFiles, '')
        // A view has its own note.
        .replace(/<noscript>.*?<\/noscript>/s, '')
        .replace(/<meta name="description"[^>]*>/, () => loader.text)
        .replace('<title>', () => (title ? html`<title>${title} · `.text : '<title>'))
        .replace('<div id="app"></div>', () => body.text)
    )
  }
  return {
    addHeaders,
    paint,
    scriptsOf: readScripts(),
    send: (request: FastifyRequest, reply: FastifyReply, status = 200): Promise<FastifyReply> =>
      sendCompressed(
        request,
        addHeaders(reply).code(status),
        compressedPage,
        'text/html; charset=utf-8',
      ),
  }
}

export type AppShell = Awaited<ReturnType<typeof createAppShell>>
