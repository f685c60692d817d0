import { type Profile, spokenNames } from '@emojid/core'
import { showEmojiId } from '../../../features/directory/pictures/pictures.ts'
import { cardSize } from '../../../platform/drawing/card.ts'
import { type Html, html, wholePage } from '../../../platform/http/pages/html.ts'
import { addressOf, editAddress, reportAddress } from './address.ts'
import { cardAddress } from './cards.ts'
import type { Files } from './files.ts'
import type { ShownId } from './id.ts'
import { paySheet } from './pay-sheet.ts'
import { socialTags } from './social-tags.ts'
import { homeLink, idStyle } from './style.ts'
import { texts } from './texts.ts'

type Place = Files & { webUrl: string }

/** The owner's profile and payment addresses. The bytes are stable while nothing changes. */
export async function idPage(view: ShownId, { webUrl, scriptUrl }: Place): Promise<string> {
  const { id, display, profile, ways, picture } = view
  const emojis = showEmojiId(display, `${webUrl}/art`)
  const title = `${display} ${profile.title ?? spokenNames(display)}`
  const head = html`${socialTags({
    type: 'profile',
    address: addressOf(webUrl, id),
    title,
    description: descriptionOf(view),
    picture: picture ?? cardAddress(webUrl, id),
    pictureText: texts().pictureText(spokenNames(display)),
    size: picture ? undefined : cardSize,
  })}
<style>${idStyle}</style>
<script src="${scriptUrl}" defer><\/script>`
  const toPay = ways.length > 0 ? await paySheet(ways, display) : nothingToPay(profile)
  const main = html`${homeLink(webUrl)}
<header class="who">
${profile.avatar ? html`<img class="avatar" src="${profile.avatar}" alt="" width="96" height="96">` : ''}
${profile.title ? html`<p>${emojis}</p>` : html`<h1>${emojis}</h1>`}
<p class="names" aria-hidden="true">${spokenNames(display)}</p>
${profile.title ? html`<h1 dir="auto">${profile.title}</h1>` : ''}
${profile.text ? html`<p class="text" dir="auto">${profile.text}</p>` : ''}
${linkList(profile)}
</header>
${toPay}
${nextChange(view)}${closing(webUrl, view)}`
  return wholePage({ title, look: 'sheet', head, main })
}

const linkList = ({ links }: Profile): Html | string =>
  links.length === 0
    ? ''
    : html`<ul class="links">${links.map(
        ({ name, url, host }) =>
          html`<li><a href="${url}" rel="nofollow noopener noreferrer ugc"><bdi>${name}</bdi>${name === host ? '' : html`<small dir="ltr">${host}</small>`}</a></li>`,
      )}</ul>`

const nothingToPay = ({ title, text, avatar, links }: Profile): Html =>
  title || text || avatar || links.length > 0
    ? html`<p class="empty">${texts().noAddress}</p>`
    : html`<p class="empty">${texts().empty}</p>`

function descriptionOf({ display, profile, ways }: ShownId): string {
  if (profile.text) return shorten(profile.text.replaceAll(/\s+/g, ' '))
  if (ways.length === 0) return texts().inDirectory(display)
  return shorten(texts().payIn(display, [...new Set(ways.map(({ name }) => name))]))
}

const shorten = (text: string): string => {
  const characters = [...text]
  return characters.length > 200 ? `${characters.slice(0, 199).join('')}…` : text
}

const nextChange = ({ changes_at }: ShownId): Html | string =>
  changes_at ? html`<p class="empty">${texts().nextChange(changes_at)}</p>` : ''

const closing = (webUrl: string, { id, display, changed_at }: ShownId): Html => html`<footer>
${changed_at ? html`<p>${texts().lastChange(changed_at)}</p>` : ''}
<p><a href="${reportAddress(webUrl, id)}" rel="nofollow">${texts().report}</a></p>
<p hidden data-edits="${id}"><a href="${editAddress(webUrl, display)}" rel="nofollow">${texts().edit}</a></p>
</footer>`
