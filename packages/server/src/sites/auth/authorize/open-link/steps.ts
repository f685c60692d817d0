import { field } from '../../../../platform/http/pages/forms.ts'
import { browserOf } from '../../cookies.ts'
import { type AuthorizeSite, orAgain, originOf, replaceLogin, type Step } from '../step.ts'
import { expiredLinkPage, openLinkPage } from './page.ts'

/**
 * Opens an emailed link that an application waits for. Only the browser that requested it continues
 * without a button.
 */
export const answerLink = (site: AuthorizeSite, step: Step) =>
  orAgain(
    step.reply,
    () => openOrAsk(site, step),
    ({ problem, status }) => step.send(expiredLinkPage(step.view, problem), status),
  )

async function openOrAsk(site: AuthorizeSite, step: Step) {
  const { request, send, view } = step
  if (request.method === 'POST') return openLink(site, step, field(request.body, 'refresh_token'))
  const token = field(request.query, 'refresh_token')
  const { email } = await site.mailbox.previewLink('magic_link', token)
  const { method, headers } = request
  // A prefetch is not an opened link.
  const isOpened = method === 'GET' && headers['sec-purpose'] === undefined
  const browser = isOpened ? browserOf(request) : undefined
  if (browser && (await site.authorization.isRequestedBy(token, browser))) {
    return openLink(site, step, token)
  }
  return send(openLinkPage(view, { email, token }))
}

async function openLink(site: AuthorizeSite, step: Step, token: string) {
  const origin = originOf(step.request)
  await replaceLogin(site, step, await site.authorization.signInByLink(token, origin))
  return step.restart()
}
