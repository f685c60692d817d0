import { idsInText } from '@emojid/core'
import { showEmojiId } from '../../../features/directory/pictures/pictures.ts'
import { type Html, html, wholePage } from '../../../platform/http/pages/html.ts'
import { homeLink, idStyle } from './style.ts'

/** A small page in place of the page of an id. */
export const card = (webUrl: string, title: string, main: Html): string =>
  wholePage({
    title,
    look: 'card',
    head: html`<style>${idStyle}</style>`,
    main: html`${homeLink(webUrl)}\n${main}`,
  })

/** To find the ids of 15 kB takes half a second. */
const searchedAtMost = 500

/** Text with ids drawn as art; emojis that no id can have stay text. */
export function withArt(webUrl: string, sentence: string): Html[] {
  if (sentence.length > searchedAtMost) return [html`${sentence}`]
  return idsInText(sentence).map(({ text, isId }) =>
    isId ? showEmojiId(text, `${webUrl}/art`) : html`${text}`,
  )
}
