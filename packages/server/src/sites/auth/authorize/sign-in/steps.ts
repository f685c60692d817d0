import { keepDevice } from '../../../../platform/http/pages/cookies.ts'
import { field } from '../../../../platform/http/pages/forms.ts'
import { browserOf } from '../../cookies.ts'
import {
  type AuthorizeSite,
  orAgain,
  originOf,
  queryOf,
  redirect,
  replaceLogin,
  type Step,
} from '../step.ts'
import { signInPage } from './page.ts'

export async function requestLink({ authorization, grants }: AuthorizeSite, step: Step) {
  const { authorizationRequest, request, reply, send, view } = step
  const email = field(request.body, 'email').trim()
  const application = {
    name: authorizationRequest.client.name,
    query: queryOf(request.query as Record<string, unknown>),
    browser: browserOf(request) ?? '',
  }
  return orAgain(
    reply,
    async () => {
      await authorization.requestLink(email, application)
      return redirect(reply, grants.pendingRedirect(authorizationRequest))
    },
    ({ problem, status }) => send(signInPage(view, { form: 'link', email, problem }), status),
  )
}

export async function signInByPassword(site: AuthorizeSite, step: Step) {
  const { request, reply, restart, send, view } = step
  const email = field(request.body, 'email').trim()
  const password = field(request.body, 'password')
  return orAgain(
    reply,
    async () => {
      const origin = originOf(request)
      const { opened, device } = await site.authorization.signInByPassword(email, password, origin)
      await replaceLogin(site, step, opened)
      keepDevice(reply, device)
      return restart()
    },
    ({ problem, status }) => send(signInPage(view, { form: 'password', email, problem }), status),
  )
}
