import {
  type EmojiId,
  EmojiIdError,
  emojiSlugs,
  MAX_EMOJIS,
  parseEmojiId,
  parseShortname,
  parseSpelling,
} from '@emojid/core'
import type { FastifyInstance } from 'fastify'
import { addressOf, findPath, searchFor } from './address.ts'
import { sendPage } from './send.ts'
import { wrongEmojiPage } from './wrong-emoji/page.ts'
import { wrongNamePage } from './wrong-name/page.ts'

const separator = /[\s.,;·]+/u
const beyondAscii = /\P{ASCII}/u
/** No name of an emoji has more words. */
const wordsAtMost = 6

/** {web_url}/find?q=: leads from typed emojis or names to the page of the id, also without scripts. */
export function serveFind(app: FastifyInstance, webUrl: string): void {
  app.get<{ Querystring: { q?: unknown } }>(findPath, async ({ query: { q } }, reply) => {
    const words = typeof q === 'string' ? q.split(separator).filter(Boolean) : []
    if (words.length === 0) return reply.redirect(searchFor(webUrl, ''), 303)
    try {
      return reply.redirect(addressOf(webUrl, readWords(words)), 303)
    } catch (error) {
      if (!(error instanceof EmojiIdError)) throw error
      const page = words.some((word) => beyondAscii.test(word))
        ? wrongEmojiPage(webUrl, words.join(''), error)
        : wrongNamePage(webUrl, words.join('.'), error)
      return sendPage(reply, 400, page)
    }
  })
}

/** Throws `EmojiIdError`. The longest name first: “palm tree” is one emoji. */
function readWords(words: readonly string[]): EmojiId {
  if (words.length > MAX_EMOJIS * wordsAtMost) return parseEmojiId(words.join(''))
  const slugs = new Set(emojiSlugs())
  const emojis: string[] = []
  for (let place = 0; place < words.length; ) {
    const names = Array.from({ length: wordsAtMost }, (_, nth) =>
      words.slice(place, place + wordsAtMost - nth),
    )
    const name = names.find((parts) => slugs.has(parts.join('-').toLowerCase()))
    const word = words[place] ?? ''
    if (name) emojis.push(parseShortname(name.join('-')))
    else emojis.push(beyondAscii.test(word) ? word : readWord(word))
    place += name?.length ?? 1
  }
  return parseEmojiId(emojis.join(''))
}

/** The name of an emoji, or the DNS label of an id, whose emojis continue those before. */
const readWord = (word: string): EmojiId =>
  /^xn--/i.test(word) ? parseSpelling(word) : parseShortname(word)
