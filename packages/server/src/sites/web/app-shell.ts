import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import statics from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CaptchaWidget } from '../../platform/captcha/captcha.ts'
import { compressible, sendCompressed } from '../../platform/http/compress.ts'
import { etagOf } from '../../platform/http/etag.ts'
import { html } from '../../platform/http/html.ts'
import type { SiteLinks } from '../../platform/http/site-links.ts'
import { captchaPolicy } from './captcha-policy.ts'

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
  const compressedCompressible = compressible(content, etagOf(content))
  return {
    page,
    addHeaders,
    send: (request: FastifyRequest, reply: FastifyReply, status = 200): FastifyReply =>
      sendCompressed(
        request,
        addHeaders(reply).code(status),
        compressedCompressible,
        'text/html; charset=utf-8',
      ),
  }
}

export type AppShell = Awaited<ReturnType<typeof createAppShell>>
