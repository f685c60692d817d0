import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagOf } from '../../../platform/http/etag.ts'
import { compressible, sendCompressed } from '../../../platform/http/pages/compress.ts'
import type { SiteLinks } from '../../../platform/http/pages/links.ts'
import type { AppShell, FirstView } from '../app-shell.ts'
import { mayBeSignedIn, mayBeSignedInElsewhere } from '../session.ts'
import { type Form, formHead, forms, giftBody, signInBody } from './page.ts'
import { texts } from './texts.ts'

type Query = Partial<Record<string, unknown>>

type Options = { shell: AppShell; links: SiteLinks }

/** {web_url}/sign-in and /gift: their first view paints without any script, like the start page. */
export function serveForms(app: FastifyInstance, { shell, links }: Options): void {
  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    view: FirstView,
    { isEager }: { isEager: boolean },
  ) => {
    reply.header('cache-control', 'private, no-cache')
    const content = Buffer.from(shell.paint(view, { isEager }))
    const page = compressible(content, etagOf(content))
    return sendCompressed(request, shell.addHeaders(reply), page, 'text/html; charset=utf-8')
  }

  const signInScripts = shell.scriptsOf('src/pages/sign-in/page.tsx')
  app.get<{ Querystring: Query }>('/sign-in', async (request, reply) => {
    const { cookie } = request.headers
    // The app shows an account or a pending code instead of the form.
    if (mayBeSignedIn(cookie)) return shell.send(request, reply)
    const { view, next, ...others } = request.query
    const form: Form = forms.find((name) => name === view) ?? 'password'
    const title = texts().titles[form]
    const body = signInBody(form, typeof next === 'string' ? next : undefined, links)
    const isEager =
      mayBeSignedInElsewhere(cookie) || next !== undefined || Object.keys(others).length > 0
    return send(
      request,
      reply,
      { title, head: formHead(), body, needed: signInScripts },
      { isEager },
    )
  })

  const giftScripts = shell.scriptsOf('src/pages/gift/page.tsx')
  app.get<{ Querystring: Query }>('/gift', async (request, reply) => {
    if (mayBeSignedIn(request.headers.cookie)) return shell.send(request, reply)
    const view = { title: texts().gift.title, head: formHead(), body: giftBody(links) }
    const isEager = Object.keys(request.query).length > 0
    return send(request, reply, { ...view, needed: giftScripts }, { isEager })
  })
}
