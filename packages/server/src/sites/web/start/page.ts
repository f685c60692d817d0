import type { EmojiId } from '@emojid/core'
import { showEmojiId } from '../../../features/directory/pictures/pictures.ts'
import { cardSize } from '../../../platform/drawing/card.ts'
import { inlineArt } from '../../../platform/http/pages/art.ts'
import { Html, html } from '../../../platform/http/pages/html.ts'
import type { SiteLinks } from '../../../platform/http/pages/links.ts'
import { addressOf, findPath } from '../ids/address.ts'
import { socialTags } from '../ids/social-tags.ts'
import { frameStyle, partStyle, searchStyle } from './style.ts'
import { texts } from './texts.ts'

/** Everything that the start page shows before the app runs. */
export type StartFacts = {
  webUrl: string
  baseUrl: string
  links: SiteLinks
  /** An id with payment addresses, if there is one. */
  demoId: EmojiId | undefined
  /** An id for sale and its price. */
  offer: { id: EmojiId; price: number } | undefined
  demoScriptUrl: string
}

/** The first ids that people see. */
export const examples = ['👑🦁', '🌴🌊☀️', '🚀🌙🚀', '👁️❤️🎸'] as EmojiId[]
const blanks = Array.from({ length: 10 })
const floating = ['1f98a', '1f355', '1f680', '1f308']

export const startHead = ({ webUrl }: Pick<StartFacts, 'webUrl'>): Html => html`${socialTags({
  type: 'website',
  address: `${webUrl}/`,
  title: `${texts().name}: ${texts().title}`,
  description: texts().description,
  picture: `${webUrl}/art/directory.png`,
  pictureText: texts().picture,
  size: cardSize,
})}
<style>${frameStyle}${searchStyle}</style>
<noscript><style>#start .later { display: none; }</style></noscript>`

/** Header, search field, first ids and the parts of the landing page, without scripts. */
export function startBody(facts: StartFacts): Html {
  const { name, navigation, skip, signIn } = texts()
  return html`<div id="start" class="served">
<style data-part="style">${partStyle}</style>
<a class="skip" href="#start-content">${skip}</a>
<header><a href="/">${name}</a><nav aria-label="${navigation}"><a href="/sign-in">${signIn}</a></nav></header>
<main id="start-content">
${hero()}
${search()}
${later()}
${landing(facts)}
</main>
</div>
<div id="app" hidden></div>`
}

const hero = (): Html => html`<div class="served hero" data-part="hero">
<div class="floating" aria-hidden="true">${floating.map(
  (icon) => html`<img src="/art/${icon}.svg" alt="" loading="lazy" width="80" height="80">`,
)}</div>
<h1>${texts().title}</h1>
<p class="intro">${texts().intro}</p>
<ol class="steps" aria-label="${texts().steps.label}">${texts().steps.list.map((step) => html`<li>${step}</li>`)}</ol>
</div>`

/** The art is inside, so that the first ids paint with the page. Repeated art compresses to nothing. */
const withArtInside = (id: EmojiId): Html =>
  new Html(
    showEmojiId(id, '/art').text.replaceAll(
      /"\/art\/([0-9a-f-]+)\.svg"/g,
      (_, icon: string) => `"${html`${inlineArt(icon)}`.text}"`,
    ),
  )

/** The places of the picker and the ideas, which the app fills. */
const later = (): Html => html`<div class="later">
<section class="card"><h2>${texts().picker.title}</h2><p class="soft">${texts().picker.loading}</p><div class="cells"></div></section>
<section class="card ideas" aria-hidden="true"><h2>${texts().picker.ideas}</h2><div class="blanks">${blanks.map(() => html`<span></span>`)}</div></section>
</div>
<noscript><p class="card note">${texts().picker.noScript}</p></noscript>`

/** Form and links show the page of the id. `start.js` leads them to the search of the app. */
function search(): Html {
  const { label, count, placeholder, submit, examples: title } = texts().search
  return html`<div class="card search"><form action="${findPath}" role="search">
<div class="line"><label for="start-field">${label}</label><span>${count}</span></div>
<div class="box"><input id="start-field" name="q" placeholder="${placeholder}" autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="search"><noscript><button class="action">${submit}</button></noscript></div>
</form>
<div class="room"><div class="served examples" data-part="examples"><h2>${title}</h2><ul class="tiles">${examples.map(
    (id) =>
      html`<li><a href="${findPath}?q=${encodeURIComponent(id)}">${withArtInside(id)}</a></li>`,
  )}</ul></div></div></div>`
}

/** The app moves this part into its own page, and never repeats it. */
const landing = (facts: StartFacts): Html => html`<div class="served landing" data-part="landing">
${demo(facts)}
<div class="pair">${cost(facts)}${wallets()}</div>
${audiences()}
${footer(facts)}
</div>`

function demo({ webUrl, demoId, demoScriptUrl }: StartFacts): Html {
  const { title, text, label, show, loading, failed, page } = texts().demo
  return html`<section class="card" aria-labelledby="demo-title" data-demo="${demoScriptUrl}" data-loading="${loading}" data-failed="${failed}">
<h2 id="demo-title">${title}</h2>
<p class="soft">${text}</p>
<form action="${findPath}"><label>${label}<input name="q" value="${demoId ?? ''}" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<button class="action">${show}</button></form>
<div data-sheet role="status"></div>
${demoId ? html`<p><a class="link" href="${addressOf(webUrl, demoId)}">${page}</a></p>` : ''}
</section>`
}

function cost({ offer }: StartFacts): Html {
  const { title, once, example, price } = texts().cost
  return html`<section class="card"><h2>${title}</h2><p><strong>${once}</strong></p><p>${price}${
    offer ? html` ${example(withArtInside(offer.id), offer.price)}` : ''
  }</p></section>`
}

function wallets(): Html {
  const { title, direct, all, currencies } = texts().wallets
  return html`<section class="card"><h2>${title}</h2><p>${direct}</p><p>${all}</p><p class="soft">${currencies}</p></section>`
}

const audiences = (): Html => html`<section class="card"><h2>${texts().audiences.title}</h2>
<dl class="audiences">${texts().audiences.list.map(
  ([audience, explanation]) => html`<div><dt>${audience}</dt><dd>${explanation}</dd></div>`,
)}</dl></section>`

function footer({ baseUrl, links }: StartFacts): Html {
  const { label, help, docs, terms, privacy, imprint } = texts().footer
  const shown = [
    [help, links.support],
    [docs, `${baseUrl}/docs/`],
    [terms, links.terms],
    [privacy, links.privacy],
    [imprint, links.imprint],
  ] as const
  return html`<footer><nav aria-label="${label}">${shown.flatMap(([text, url]) =>
    url ? html`<a href="${url}">${text}</a>` : [],
  )}</nav></footer>`
}
