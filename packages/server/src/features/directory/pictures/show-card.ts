import type { EmojiId } from '@emojid/core'
import { assertNotSuspended } from '../emoji-ids/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/**
 * Bounds the memory to about ten megabytes, and the work that anonymous requests can cause to a few
 * seconds.
 */
export const cardLimits = {
  cachedAtMost: 200,
  waitingAtMost: { each: 7, all: 28 },
  patienceMs: 4_000,
}

/** The card for link previews of an id; `busy` if too many of the network wait to be drawn. */
export async function showCard(
  { emojiIds, drawer, cards }: Deps,
  id: EmojiId,
  network: string,
): Promise<Buffer | 'busy'> {
  const ownedId = await emojiIds.findId(id)
  if (!ownedId) throw rules.unknownPicture()
  assertNotSuspended(ownedId)
  const { display_format } = ownedId
  const draw = () => drawer.drawStill(rules.cardOf(display_format))
  return (await cards(display_format, network, draw)) ?? 'busy'
}
