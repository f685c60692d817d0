import { idsInText } from '@emojid/core'
import { showEmojiId } from '../../../features/directory/pictures/index.ts'
import { type Html, html, wholePage } from '../../../platform/http/html.ts'
import { homeLink, idStyle } from './style.ts'

/** A small page in place of the page of an id. */
export const card = (webUrl: string, title: string, main: Html): string =>
  wholePage({
    title,
    look: 'card',
    head: html`<style>${idStyle}</style>`,
    main: html`${homeLink(webUrl)}\n${main}`,
  })

/** Text with ids drawn as art; emojis that no id can have stay text. */
export const withArt = (webUrl: string, sentence: string): Html[] =>
  idsInText(sentence).map(({ text, isId }) =>
    isId ? showEmojiId(text, `${webUrl}/art`) : html`${text}`,
  )
