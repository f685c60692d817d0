import {
  type EmojiId,
  type EmojiIdError,
  emojiSlugs,
  idsInText,
  parseShortname,
} from '@emojid/core'
import { showEmojiId, spokenNames } from '../../../features/directory/pictures/index.ts'
import { type Html, html, wholePage } from '../../../platform/http/html.ts'
import { addressOf, searchFor, usableIn } from './address.ts'
import { homeLink, idStyle } from './style.ts'

const shownAtMost = 40

const card = (webUrl: string, title: string, main: Html): string =>
  wholePage({
    title,
    look: 'card',
    head: html`<style>${idStyle}</style>`,
    main: html`${homeLink(webUrl)}\n${main}`,
  })

/** Nobody has it: whoever looks for it may get it. */
export function unregisteredPage(webUrl: string, id: EmojiId, price: number | null): string {
  const title = price === null ? 'Nobody has this id' : 'This id is free'
  return card(
    webUrl,
    title,
    html`<p class="big">${showEmojiId(id, `${webUrl}/art`)}</p>
<h1>${title}</h1>
<p>${capital(spokenNames(id))} is not registered, so nobody can be paid here. If somebody gave you this id, ask them for it again.</p>
${
  price === null
    ? html`<p>It cannot be had right now.</p><p class="actions"><a class="button" href="${searchFor(webUrl, id)}">See similar ids</a></p>`
    : html`<p class="actions"><a class="button" href="${searchFor(webUrl, id)}">Get it for ${dollars(price)}</a></p>`
}`,
  )
}

/** The id is there, and leads nowhere from here. */
export const noSuchPathPage = (webUrl: string, id: EmojiId): string =>
  card(
    webUrl,
    'There is nothing here',
    html`<p class="big">${showEmojiId(id, `${webUrl}/art`)}</p>
<h1>There is nothing here</h1>
<p>This id has a page, but nothing behind this address.</p>
<p class="actions"><a class="button" href="${addressOf(webUrl, id)}">Go to its page</a></p>`,
  )

/** Which emoji is wrong, and what can be done with the others. */
export function wrongEmojiPage(webUrl: string, text: string, error: EmojiIdError): string {
  const usable = usableIn(text)
  return card(
    webUrl,
    'This is no emoji id',
    html`<h1>This is no emoji id</h1>
${typed(webUrl, text, error)}
<p class="wrong">${inSentence(webUrl, error.message)}</p>
<p>Check it, or ask whoever gave it to you. An id that only looks alike belongs to somebody else.</p>
<p class="actions">${
      usable === ''
        ? html`<a class="button" href="${webUrl}/">Search for an id</a>`
        : html`<a class="button" href="${searchFor(webUrl, usable)}">Search with the rest: ${showEmojiId(usable, `${webUrl}/art`)}</a>`
    }</p>`,
  )
}

/** What was typed up to the fault, the fault itself, and what follows. */
function typed(webUrl: string, text: string, { position, offending }: EmojiIdError): Html | string {
  if (offending === '') return ''
  const characters = [...text]
  const before = characters.slice(0, position.codePoint).join('')
  const after = characters.slice(position.codePoint + [...offending].length)
  const rest = after.slice(0, shownAtMost).join('')
  const more = after.length > shownAtMost ? '…' : ''
  const show = (part: string): Html[] => inSentence(webUrl, part)
  return html`<p class="big typed">${show(before)}<mark>${show(offending)}</mark>${show(rest)}${more}</p>`
}

/** Text in which ids look as they do everywhere; emojis that no id can have stay text. */
const inSentence = (webUrl: string, sentence: string): Html[] =>
  idsInText(sentence).map(({ text, isId }) =>
    isId ? showEmojiId(text, `${webUrl}/art`) : html`${text}`,
  )

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A name that is not one, with those that are nearest to it. */
export function wrongNamePage(webUrl: string, text: string, error: EmojiIdError): string {
  const near = namesLike(error.offending).flatMap((name) => {
    const emoji = parseShortname(name)
    const id = usableIn(
      text
        .toLowerCase()
        .split('.')
        .map((part) => (part === error.offending ? emoji : emojiOf(part)))
        .join(''),
    )
    if (id === '') return []
    return html`<li><a href="${searchFor(webUrl, id)}">${showEmojiId(id, `${webUrl}/art`)}<span>${spokenNames(id)}</span></a></li>`
  })
  return card(
    webUrl,
    'This is no emoji id',
    html`<h1>This is no emoji id</h1>
<p class="wrong">${inSentence(webUrl, error.message)}</p>
${near.length > 0 ? html`<p>Did you mean one of these?</p><ul class="choices">${near}</ul>` : ''}
<p class="actions"><a class="button" href="${webUrl}/">Search for an id</a></p>`,
  )
}

const emojiOf = (name: string): string => (emojiSlugs().includes(name) ? parseShortname(name) : '')

/** Names that begin alike, the closest in length first. */
function namesLike(name: string): string[] {
  const start = name.slice(0, 3)
  if (start.length < 3) return []
  return emojiSlugs()
    .filter((slug) => slug.startsWith(start))
    .sort((a, b) => Math.abs(a.length - name.length) - Math.abs(b.length - name.length))
    .slice(0, 5)
}

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dollars = (cents: number): string => money.format(cents / 100)
