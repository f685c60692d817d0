import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bindTo } from '../../../../platform/bind.ts'
import { field } from '../../../../platform/http/pages/forms.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import {
  type LinkSite,
  passwordForm,
  retryPassword,
  sendDone,
  sendPage,
  tokenOpened,
  tokenSent,
} from '../link-page.ts'
import { texts as linkTexts } from '../texts.ts'
import { texts } from './texts.ts'

export function serveResetPassword(app: FastifyInstance, site: LinkSite): void {
  const bind = bindTo(site)
  app.get('/reset_password', bind(showForm))
  app.post('/reset_password', bind(resetPassword))
}

async function showForm(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const token = tokenOpened(request)
  const { email } = await site.mailbox.previewLink('reset_password', token)
  return sendForm(site, reply, { token, email })
}

async function resetPassword(site: LinkSite, request: FastifyRequest, reply: FastifyReply) {
  const { mailbox } = site
  const token = tokenSent(request)
  const { email } = await mailbox.previewLink('reset_password', token)
  return retryPassword(
    async () => {
      await mailbox.resetPassword(token, field(request.body, 'password'))
      return sendDone(site, reply, texts().done)
    },
    (problem) => sendForm(site, reply, { token, email, problem }),
  )
}

type ResetForm = { token: string; email: string | null; problem?: string }

function sendForm(site: LinkSite, reply: FastifyReply, { token, email, problem }: ResetForm) {
  const { title, text, action } = texts()
  const body = html`<p>${text(email ?? '', linkTexts().ended)}</p>
${passwordForm(site, { path: 'reset_password', token, email, label: action, problem })}`
  return sendPage(reply, title, body, problem ? 422 : 200)
}
