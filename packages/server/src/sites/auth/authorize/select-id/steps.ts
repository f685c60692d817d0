import { dropRequest, keepRequest } from '../../cookies.ts'
import { codePage } from '../code/page.ts'
import { heldUpPage } from '../held-up/page.ts'
import { isFromOwnPage, isFromSelector, isOwnChoice } from '../own-choice.ts'
import { signInPage } from '../sign-in/page.ts'
import { type AuthorizeSite, type KnownLogin, redirect, type Step } from '../step.ts'
import { continueWebLogin } from '../web-login.ts'
import { selectorPage } from './page.ts'
import { texts } from './texts.ts'

/** Asks for the missing step: sign-in, then the code, then the id. */
export async function selectId(site: AuthorizeSite, step: Step) {
  const { handle, view, send } = step
  const knownLogin = await site.authorization.findLogin(handle)
  if (!knownLogin) return continueWebLogin(site, step, () => send(signInPage(view)))
  if (knownLogin.mustSetUpFactor) return send(heldUpPage(view), 403)
  const [provider = ''] = knownLogin.user.two_factor_auth
  if (knownLogin.owesCode) return send(codePage(view, { provider }))
  return takeChoice(site, step, knownLogin)
}

/** Answers the application, so no request waits any longer. */
function leadBack(reply: Step['reply'], address: string) {
  dropRequest(reply)
  return redirect(reply, address)
}

async function takeChoice(site: AuthorizeSite, step: Step, knownLogin: KnownLogin) {
  const { user, mayChoosePassword } = knownLogin
  const { authUrl, emojiIds, grants } = site
  const { authorizationRequest, request, reply, view, send } = step
  const { svc } = authorizationRequest
  const isGranted = () => grants.isGranted(authorizationRequest, user.id, svc ?? '')
  const isOwn = svc !== undefined && (await isOwnChoice(request, view, isGranted))
  // Another page must not learn the owner of an id.
  const isRevealed = svc !== undefined && (isOwn || isFromOwnPage(request))
  const reason = isRevealed ? await grants.explainRefusal(user, svc) : undefined
  const isTyped = isFromSelector(request, view)
  if (reason && !isTyped) return leadBack(reply, grants.refuseRequest(authorizationRequest, reason))
  if (isOwn && !reason)
    return leadBack(reply, await grants.chooseId(authorizationRequest, knownLogin, svc))
  const ids = await emojiIds.findUsableIds(user.id)
  // A person without ids gets one at the web site and returns.
  if (ids.length === 0) keepRequest(reply, new URL(view.at('/authorize')).search.slice(1))
  const choice = {
    email: user.email,
    ids,
    artUrl: `${authUrl}/art`,
    mayChoosePassword,
    problem: reason && texts().typed.notYours,
  }
  return send(selectorPage(view, choice), reason ? 422 : 200)
}
