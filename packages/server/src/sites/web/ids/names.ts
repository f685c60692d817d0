import {
  decodeSegment,
  type EmojiId,
  EmojiIdError,
  isPartlyShortname,
  parseSpelling,
} from '@emojid/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { longestTypedText, readIdAddress, spelledRight } from './address.ts'
import { leadToSpelling, sendPage } from './send.ts'
import { wrongNamePage } from './wrong-name/page.ts'

/** Words joined by dots, as in fire.snake, or a DNS label such as xn--4n8hpr. */
const nameForm = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i

/** Redirects a name to its id. Runs after all routes, so no page is hidden by a name. */
export const guessName =
  (webUrl: string) =>
  ({ method, raw }: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
    const idAddress = readIdAddress(raw.url ?? '')
    const text = decodeSegment(idAddress.segment)
    if (!['GET', 'HEAD'].includes(method) || !nameForm.test(text)) return undefined
    const name = readName(text)
    if (typeof name === 'string') {
      return leadToSpelling(reply, `${webUrl}${spelledRight(name, idAddress)}`)
    }
    return name && sendPage(reply, 400, wrongNamePage(webUrl, text, name))
  }

/** True if the address is the name of an id and not that of a page. */
export const isName = (url: string): boolean => {
  const text = decodeSegment(readIdAddress(url).segment)
  return nameForm.test(text) && typeof readName(text) === 'string'
}

/** The id; or the fault, if at least one part is the name of an emoji. */
function readName(text: string): EmojiId | EmojiIdError | undefined {
  if (text.length > longestTypedText) return undefined
  try {
    return parseSpelling(text)
  } catch (error) {
    if (!(error instanceof EmojiIdError)) throw error
    return isPartlyShortname(text) ? error : undefined
  }
}
