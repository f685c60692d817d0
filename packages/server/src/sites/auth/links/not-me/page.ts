import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bindTo } from '../../../../platform/bind.ts'
import { formRate } from '../../../../platform/http/pages/forms.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import { toMinuteText } from '../../../../platform/time.ts'
import { button, type LinkSite, sendDone, sendPage, tokenOpened, tokenSent } from '../link-page.ts'
import { texts as linkTexts } from '../texts.ts'
import { texts } from './texts.ts'

export function serveNotMe(app: FastifyInstance, site: LinkSite): void {
  const bind = bindTo(site)
  app.get('/not_me', { config: formRate }, bind(showNotice))
  app.post('/not_me', { config: formRate }, bind(disavowNotice))
}

async function showNotice(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const token = tokenOpened(request)
  const { event: change, at, hasPassword, restores } = await site.mailbox.previewNotice(token)
  const { title, events, text, signedOut, removed, passwordEnds, action, closePage } = texts()
  const also = texts().alsoEnded[change]
  const body = html`<p>${text(events[change], toMinuteText(at))}</p>
<ul>${restores ? html`<li>${texts().restored(restores.email, toMinuteText(restores.since))}</li>` : ''}
<li>${signedOut}</li>
<li>${linkTexts().ended}</li>
<li>${removed}</li>
${also ? html`<li>${also}</li>` : ''}
${hasPassword ? html`<li>${passwordEnds}</li>` : ''}</ul>
${button(site, { path: 'not_me', token, label: action })}
<p>${closePage}</p>`
  return sendPage(reply, title, body)
}

async function disavowNotice(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const outcome = await site.mailbox.disavowNotice(tokenSent(request))
  return sendDone(site, reply, texts().done(outcome))
}
