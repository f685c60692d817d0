import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bindTo } from '../../../../platform/bind.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import { button, type LinkSite, sendDone, sendPage, tokenOpened, tokenSent } from '../link-page.ts'
import { texts as linkTexts } from '../texts.ts'
import { texts } from './texts.ts'

export function serveChangeEmail(app: FastifyInstance, site: LinkSite): void {
  const bind = bindTo(site)
  app.get('/change_email', bind(askToChange))
  app.post('/change_email', bind(changeEmail))
}

async function askToChange(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const token = tokenOpened(request)
  const { email, former, isFirstAddress } = await site.mailbox.previewLink('change_email', token)
  const { title, question, action, firstAddress, formerAddress, otherAddress } = texts()
  const { ended, closePage } = linkTexts()
  const body = html`<p>${question(email ?? '')}</p>
${button(site, { path: 'change_email', token, label: action })}
<p>${isFirstAddress ? firstAddress : html`${formerAddress(former ?? '')} ${ended} ${otherAddress}`}</p>
<p>${closePage}</p>`
  return sendPage(reply, title, body)
}

async function changeEmail(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const { email, next } = await site.mailbox.changeEmail(tokenSent(request))
  if (next) return reply.redirect(`${site.authUrl}/first_password?token=${next}`, 303)
  return sendDone(site, reply, texts().done(email))
}
