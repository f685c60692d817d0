import { type EmojiId, EmojiIdError, parseEmojiId } from '@emojid/core'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Pictures } from '../../../features/directory/pictures/pictures.ts'
import { etagOf, isKnown } from '../../../platform/http/etag.ts'
import { networkOf } from '../../../platform/http/network.ts'
import { readDirectoryPicture, unknownPicture } from './files.ts'

/** The stand-in may be cached for a minute: until then the card is drawn. */
const asStandIns = 'public, max-age=60'

/** The address of the preview card of an id. */
export const cardAddress = (webUrl: string, id: EmojiId): string =>
  `${webUrl}/art/ids/${encodeURIComponent(id)}.png`

/** {web_url}/art/ids/{id}.png: the preview picture of links to an id. */
export function serveCards(
  app: FastifyInstance,
  pictures: Pick<Pictures, 'showCard'>,
  /** Cards are cached as long as lookups: a suspended id has no card. */
  asCards: string,
): void {
  app.get<{ Params: { file: string } }>(
    '/art/ids/:file',
    async ({ params, headers, ip }, reply) => {
      const cardPicture = await pictures.showCard(readId(params.file), networkOf(ip))
      const card = cardPicture === 'busy' ? await readDirectoryPicture() : cardPicture
      return send(
        reply,
        card,
        cardPicture === 'busy' ? asStandIns : asCards,
        headers['if-none-match'],
      )
    },
  )
}

function send(
  reply: FastifyReply,
  picture: Buffer,
  keeping: string,
  knownEtag: string | undefined,
) {
  const etag = etagOf(picture)
  reply.header('cache-control', keeping).header('etag', etag)
  if (isKnown(knownEtag, etag)) return reply.code(304).send()
  return reply.type('image/png').send(picture)
}

function readId(file: string): EmojiId {
  const [, text] = /^(.{1,100})\.png$/su.exec(file) ?? []
  if (!text) throw unknownPicture()
  try {
    return parseEmojiId(text)
  } catch (error) {
    if (error instanceof EmojiIdError) throw unknownPicture()
    throw error
  }
}
