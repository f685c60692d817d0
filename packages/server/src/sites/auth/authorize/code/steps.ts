import { field } from '../../../../platform/http/pages/forms.ts'
import { type AuthorizeSite, orAgain, type Step } from '../step.ts'
import { codePage } from './page.ts'

export const giveCode = (site: AuthorizeSite, step: Step) =>
  onCodePage(site, step, async () => {
    await site.authorization.giveCode(step.handle, field(step.request.body, 'code'))
    return step.restart()
  })

export const sendCode = (site: AuthorizeSite, step: Step) =>
  onCodePage(site, step, async () => {
    const { phone_last_digits: sentTo } = await site.authorization.sendCode(step.handle)
    return step.send(codePage(step.view, { provider: 'SMS', sentTo }))
  })

/** Shows the page again if the code is refused; a browser without a sign-in starts over. */
async function onCodePage(site: AuthorizeSite, step: Step, work: () => Promise<unknown>) {
  const { handle, restart, send, view, reply } = step
  const knownLogin = await site.authorization.findLogin(handle)
  if (!knownLogin) return restart()
  const [provider = ''] = knownLogin.user.two_factor_auth
  return orAgain(reply, work, ({ problem, status }) =>
    send(codePage(view, { provider, problem }), status),
  )
}
