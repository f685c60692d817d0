import type { FastifyInstance } from 'fastify'
import { formRate } from '../../../platform/http/pages/forms.ts'
import { dropHandle, dropRequest } from '../cookies.ts'
import { giveCode, sendCode } from './code/steps.ts'
import { choosePassword, showFirstPassword } from './first-password/steps.ts'
import { answerLink } from './open-link/steps.ts'
import { resumeRequest } from './resume/steps.ts'
import { selectId } from './select-id/steps.ts'
import { requestLink, signInByPassword } from './sign-in/steps.ts'
import { type AuthorizeSite, redirect, type Step, type StepHandler, takeStep } from './step.ts'
import { takeWebLogin } from './web-login.ts'

const denied = { error: 'access_denied', error_description: 'The user cancelled the sign-in.' }

/**
 * Sign-in at applications: authenticates the person, then lets them choose the emoji id to share.
 */
export function serveAuthorization(app: FastifyInstance, site: AuthorizeSite) {
  const step = (handler: StepHandler, implied = {}) => takeStep(site, handler, implied)
  app.get('/authorize', { preHandler: takeWebLogin(site) }, step(selectId))
  app.get('/authorize/cancel', step(cancelRequest))
  app.get('/authorize/resume', async (request, reply) => resumeRequest(site, request, reply))
  app.post('/authorize/link', { config: formRate }, step(requestLink))
  app.post('/authorize/password', step(signInByPassword))
  app.post('/authorize/code', step(giveCode))
  app.post('/authorize/sms', step(sendCode))
  app.get('/authorize/first_password', step(showFirstPassword))
  app.post('/authorize/first_password', step(choosePassword))
  app.post('/authorize/leave', step(signOut))
  // A form address opened with GET leads to the page of the request.
  for (const form of ['link', 'password', 'code', 'sms', 'leave']) {
    app.get(`/authorize/${form}`, step(restart))
  }
  // A link carries only a part of the original request.
  return { link: step(answerLink, { response_type: 'code' }) }
}

async function cancelRequest({ grants }: AuthorizeSite, { authorizationRequest, reply }: Step) {
  dropRequest(reply)
  return redirect(reply, grants.refuseRequest(authorizationRequest, denied))
}

const restart = async (_site: AuthorizeSite, step: Step) => step.restart()

/**
 * Signs the browser out here and at the web site, whose session would sign it in here again. The
 * redirect keeps the method, so that other sites cannot link to the sign-out.
 */
async function signOut({ authorization, webUrl }: AuthorizeSite, { handle, reply, view }: Step) {
  await authorization.signOut(handle)
  dropHandle(reply)
  // The next person must not inherit the request.
  dropRequest(reply)
  return reply.redirect(`${webUrl}/session/leave${new URL(view.at('/authorize')).search}`, 307)
}
