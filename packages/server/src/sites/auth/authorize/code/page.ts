import { textLengths } from '@emojid/core'
import { html } from '../../../../platform/http/pages/html.ts'
import {
  type AuthorizeView,
  alert,
  application,
  hiddenToken,
  leaveForm,
  problemText,
  wayBack,
} from '../parts.ts'
import { texts as stepTexts } from '../texts.ts'
import { texts } from './texts.ts'

type CodeView = { provider: string; problem?: string | undefined; sentTo?: string | undefined }

export function codePage(view: AuthorizeView, { provider, problem, sentTo }: CodeView) {
  const { client, at, formToken } = view
  const { title, sms, app, backup, code, action, send, sendAnother, sent, lost } = texts()
  const isSms = provider === 'SMS'
  const mayHaveOne = !isSms || sentTo !== undefined || problem !== undefined
  const giveForm = html`<form method="post" action="${at('/authorize/code')}">
${alert(problem)}
${hiddenToken(formToken)}
<label>${code}<input name="code" autocomplete="one-time-code" inputmode="text" autocapitalize="none" spellcheck="false" required maxlength="${textLengths.secondFactorCode.maxLength}"${problemText(problem)}></label>
<button class="${mayHaveOne ? '' : 'second'}">${action}</button>
</form>`
  const sendForm = html`<form method="post" action="${at('/authorize/sms')}">
${hiddenToken(formToken)}<button class="${mayHaveOne ? 'second' : ''}">${mayHaveOne ? sendAnother : send}</button></form>`
  const smsForms = mayHaveOne ? html`${giveForm}${sendForm}` : html`${sendForm}${giveForm}`
  const body = html`${application(client, stepTexts().waits)}
<p>${isSms ? sms : app} ${backup}</p>
${sentTo ? html`<p class="good" role="status">${sent(sentTo)}</p>` : ''}
${isSms ? smsForms : giveForm}
<p><a href="${lostFactor(at)}">${lost}</a></p>
<footer>${leaveForm(view)}${wayBack(view)}</footer>`
  return { title, body }
}

/** A page of this site, outside of the authorization request. */
const lostFactor = (at: AuthorizeView['at']): string => at('/lost_factor').replace(/\?.*$/s, '')
