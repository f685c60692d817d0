import { type EmojiId, spokenNames, textLengths } from '@emojid/core'
import {
  type ReportCategory,
  reportCategories,
} from '../../../features/directory/abuse-reports/abuse-reports.ts'
import { showEmojiId } from '../../../features/directory/pictures/pictures.ts'
import type { CaptchaWidget } from '../../../platform/captcha/captcha.ts'
import { type Html, html, page, wholePage } from '../../../platform/http/pages/html.ts'
import { reportAddress } from '../ids/address.ts'
import { texts } from './texts.ts'

type Place = { webUrl: string; captcha: CaptchaWidget | undefined }
export type ReportedId = { emoji_id: EmojiId; display_format: string }
export type ReportInput = { category: string; text: string; email: string }

export const nothingEntered: ReportInput = { category: '', text: '', email: '' }

/** Works without scripts, unless the operator configured a captcha. */
export function reportPage(
  { webUrl, captcha }: Place,
  { emoji_id, display_format }: ReportedId,
  { category, text, email }: ReportInput,
  problem?: string,
): string {
  const words = texts()
  const main = html`<h1>${words.heading}</h1>
<p>${showEmojiId(display_format, `${webUrl}/art`)}</p>
<p>${words.intro}</p>
<form method="post" action="${reportAddress(webUrl, emoji_id)}">
${problem ? html`<p class="wrong" id="problem" role="alert">${problem}</p>` : ''}
<label>${words.category}<select name="category" required>
<option value="">${words.choose}</option>
${reportCategories.map((one) => option(one, one === category))}
</select></label>
<label>${words.text}<textarea name="text" rows="6" required minlength="${textLengths.report.minLength}" maxlength="${textLengths.report.maxLength}" aria-describedby="text-hint">${text}</textarea></label>
<p id="text-hint">${words.textHint(textLengths.report.minLength)}</p>
<label>${words.email}<input type="email" name="email" value="${email}" autocomplete="email" maxlength="${textLengths.email.maxLength}" aria-describedby="email-hint"></label>
<p id="email-hint">${words.emailHint}</p>
${captcha ? captchaField(captcha) : ''}
<button>${words.send}</button>
</form>`
  const title = words.title(spokenNames(display_format))
  const script = captcha ? html`<script src="${captcha.script_url}" async defer><\/script>` : html``
  const head = html`<meta name="description" content="${words.intro}">${script}`
  return wholePage({ title, look: 'card', main, head })
}

export function reportDonePage(address: string, { isMailed, hasEmail }: Result): string {
  const { title, text, mailed, notMailed, back } = texts().done
  const mail = isMailed ? mailed : hasEmail ? notMailed : ''
  return page(title, html`<p>${text} ${mail}</p><p><a href="${address}">${back}</a></p>`)
}

type Result = { isMailed: boolean; hasEmail: boolean }

const option = (category: ReportCategory, isChosen: boolean): Html =>
  html`<option value="${category}"${isChosen ? html` selected` : ''}>${texts().categories[category]}</option>
`

/** The script of the captcha draws the widget into this place and adds its field to the form. */
const captchaField = ({ site_key }: CaptchaWidget): Html =>
  html`<div class="g-recaptcha" data-sitekey="${site_key}"></div>
<noscript><p class="wrong">${texts().captchaNeedsScripts}</p></noscript>`
