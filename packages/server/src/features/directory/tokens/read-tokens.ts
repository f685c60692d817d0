import type { EmojiId } from '@emojid/core'
import { toPage } from '../../../platform/http/paging.ts'
import { themeOf } from '../pictures/pictures.ts'
import type { Deps } from './deps.ts'
import * as signatures from './repository.ts'
import * as rules from './rules.ts'
import type { TokenQuery } from './schema.ts'

export async function listTokens({ now, db }: Deps, query: TokenQuery) {
  const at = now()
  const { rows, total } = await signatures.findPage(db, query, at)
  const signatureRows = await signatures.findOf(
    db,
    rows.map(({ emoji_id }) => emoji_id),
  )
  const data = rows.map((row) =>
    rules.showToken(
      row,
      signatureRows.filter(({ emoji_id }) => emoji_id === row.emoji_id),
    ),
  )
  return toPage(data, total, query)
}

export async function showMetadata({ emojiIds, store, webUrl }: Deps, token_id: number) {
  const ownedId = await emojiIds.findIdByToken(token_id)
  if (!ownedId) throw rules.unknownToken()
  const keys = ['VisualizerFileLocations', 'VisualizerData'] as const
  const [files, data] = await store.readStore(ownedId.emoji_id as EmojiId, keys)
  return rules.metadataOf(ownedId, { files, theme: themeOf(data) }, webUrl)
}
