import { field } from '../../../../platform/http/pages/forms.ts'
import { type AuthorizeSite, orAgain, originOf, replaceLogin, type Step } from '../step.ts'
import { firstPasswordPage } from './page.ts'

export const showFirstPassword = (site: AuthorizeSite, step: Step) => showForm(site, step)

export async function choosePassword(site: AuthorizeSite, step: Step) {
  const { request, reply, handle, restart } = step
  const password = field(request.body, 'password')
  return orAgain(
    reply,
    async () => {
      const origin = originOf(request)
      const login = await site.authorization.choosePassword(handle, password, origin)
      await replaceLogin(site, step, login)
      return restart()
    },
    ({ problem, status }) => showForm(site, step, problem, status),
  )
}

async function showForm(site: AuthorizeSite, step: Step, problem?: string, status = 200) {
  const { handle, restart, send, view } = step
  const knownLogin = await site.authorization.findLogin(handle)
  if (!knownLogin || knownLogin.owesCode || !knownLogin.mayChoosePassword) return restart()
  return send(firstPasswordPage(view, { email: knownLogin.user.email, problem }), status)
}
