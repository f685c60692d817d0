import { textLengths } from '@emojid/core'
import { type Html, html } from '../../../platform/http/pages/html.ts'
import { listLinks, type SiteLinks } from '../../../platform/http/pages/links.ts'
import { frameStyle, partStyle } from '../start/style.ts'
import { formStyle } from './style.ts'
import { texts } from './texts.ts'

export const forms = ['password', 'link', 'register', 'reset'] as const
export type Form = (typeof forms)[number]

/** Without scripts nothing here can be sent, so the page shows only the note about that. */
export const formHead = (): Html => html`<meta name="description" content="${texts().description}">
<style>${frameStyle}${partStyle}${formStyle}</style>
<noscript><style>#start form, #start .other, #start .passkey, #start .title .soft { display: none; }</style></noscript>`

const frame = (
  card: Html,
  links: SiteLinks,
): Html => html`<div id="start" class="served" data-view="form">
<a class="skip" href="#start-content">${texts().skip}</a>
<header><a href="/">${texts().name}</a><nav aria-label="${texts().navigation}"><a href="/sign-in">${texts().signIn}</a></nav></header>
<main id="start-content">${card}</main>
${footer(links)}
</div>
<div id="app" hidden></div>`

/** Every form starts with the address; `next` is the page to open afterwards. */
export function signInBody(form: Form, next: string | undefined, links: SiteLinks): Html {
  const look = form === 'password' ? 'card wide' : 'card'
  return frame(
    html`<section class="${look}">
<div class="title"><h1>${texts().titles[form]}</h1><p class="soft">${texts().intros[form]}</p></div>
${noScriptNote()}
${bodies[form](next)}
</section>`,
    links,
  )
}

export const giftBody = (links: SiteLinks): Html =>
  frame(
    html`<section class="card"><h1>${texts().gift.title}</h1>
<p class="soft">${texts().gift.text}</p>${noScriptNote()}</section>`,
    links,
  )

const noScriptNote = (): Html => html`<noscript><p>${texts().noScript}</p></noscript>`

function footer(links: SiteLinks): Html | string {
  const shownLinks = listLinks(links)
  if (shownLinks.length === 0) return ''
  return html`<footer><nav aria-label="${texts().about}">${shownLinks.map(
    ({ label, url }) => html`<a href="${url}">${label}</a>`,
  )}</nav></footer>`
}

const bodies: Record<Form, (next: string | undefined) => Html> = {
  password: (next) => html`${form(html`${emailField()}
<div class="columns"><div class="column">${passwordField('current-password')}${mainButton(texts().signIn)}
<p>${linkTo('reset', next, texts().forgot)}</p></div>
<div class="column"><p class="soft">${texts().linkText}</p>${secondButton(texts().mailLink)}</div></div>`)}
<div class="column passkey">${secondButton(texts().passkey)}</div>
<p class="other">${texts().noAccount} ${linkTo('register', next, texts().titles.register)}</p>`,
  register: (
    next,
  ) => html`${form(html`${emailField()}${passwordField('new-password')}${mainButton(texts().create)}`)}
<p class="other">${texts().hasAccount} ${linkTo('password', next, texts().signIn)}</p>`,
  link: (next) => mailForm(next),
  reset: (next) => mailForm(next),
}

const mailForm = (next: string | undefined): Html =>
  html`${form(html`${emailField()}${mainButton(texts().mailLink)}`)}
<p class="other">${linkTo('password', next, texts().usePassword)}</p>`

/** A form of the method `dialog` outside of a dialog sends nothing, so no password leaves the page before the app runs. */
const form = (fields: Html): Html => html`<form method="dialog">${fields}</form>`

/** An input of the type `email` hides its caret from scripts, and the app takes over in the middle of typing. */
const emailField = (): Html =>
  html`<div class="field"><label for="start-email">${texts().email}</label><input id="start-email" name="email" inputmode="email" autocapitalize="none" spellcheck="false" required autocomplete="username"></div>`

const passwordField = (kind: 'current-password' | 'new-password'): Html =>
  kind === 'current-password'
    ? html`<div class="field"><label for="start-password">${texts().password}</label><input id="start-password" name="password" type="password" required autocomplete="${kind}"></div>`
    : html`<div class="field"><label for="start-password">${texts().newPassword}</label><input id="start-password" name="password" type="password" autocomplete="${kind}" aria-describedby="start-hint"><p id="start-hint">${texts().newPasswordHint(textLengths.password.minLength)}</p></div>`

const mainButton = (text: string): Html => html`<button class="action">${text}</button>`
const secondButton = (text: string): Html =>
  html`<button type="button" class="action second">${text}</button>`

function linkTo(view: Form, next: string | undefined, text: string): Html {
  const query = new URLSearchParams({
    ...(next ? { next } : {}),
    ...(view === 'password' ? {} : { view }),
  })
  const address = query.size > 0 ? `/sign-in?${query}` : '/sign-in'
  return html`<a class="link" href="${address}">${text}</a>`
}
