import { displayFormat, type EmojiId, emojisOf, parseTonedEmojiId, slugOf } from '@emojid/core'
import { iconsOf } from '../../../features/pictures/index.ts'
import { type Html, html } from '../../../platform/http/html.ts'

/** What an id is called when it is read out. */
export const spokenNames = (display: string): string =>
  emojisOf(parseTonedEmojiId(display).id).map(nameOf).join(', ')

/** An id as everybody sees it: the same art everywhere, read as one label, copied as text. */
export function showEmojiId(display: string, artUrl: string): Html {
  const { id, tones } = parseTonedEmojiId(display)
  const icons = iconsOf(display)
  const emojis = emojisOf(id).map((emoji, nth) => {
    const text = displayFormat(emoji as EmojiId, [tones[nth]])
    const art = html`<img src="${artUrl}/${icons[nth] ?? ''}.svg" alt="${nameOf(emoji)}" width="40" height="40">`
    return html`<span class="emoji">${art}<span>${text}</span></span>`
  })
  const label = `emoji id: ${spokenNames(display)}`
  return html`<span class="emoji-id" role="img" aria-label="${label}">${emojis}</span>`
}

const nameOf = (emoji: string): string => slugOf(emoji)?.replaceAll('-', ' ') ?? ''
