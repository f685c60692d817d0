import type { EmojiId } from '@emojid/core'
import { duplicate, refusal, refusalIn } from '../../../platform/errors.ts'

export const interestsAtMost = 200

/** Where the web site shows what an id costs. */
export const searchPage = (webUrl: string, id: EmojiId): string =>
  `${webUrl}/?q=${encodeURIComponent(id)}`

export const unknownInterest = (id: EmojiId) =>
  refusal('not_found', 'unknown_interest', `You have not registered an interest in ${id}.`)

export const alreadyInterested = (id: EmojiId) =>
  duplicate('emoji_id', `You have registered your interest in ${id} already.`)

export const ownId = (id: EmojiId) =>
  refusalIn('emoji_id', 'refused', 'eligibility', `You have ${id} yourself.`)

export const tooManyInterests = () => {
  const message = `You have ${interestsAtMost} interests. Delete some first.`
  return refusal('refused', 'too_many_interests', message)
}

export const linkGone = () =>
  refusal(
    'refused',
    'expired_link',
    'This link was used already or is too old. You get no further mail about this emoji id.',
  )
