import type { EmojiId } from '@emojid/core'
import { duplicate, refusal, refusalIn } from '../../../platform/errors.ts'

export const interestsAtMost = 200

/** The search page with the price of an id. */
export const searchPage = (webUrl: string, id: EmojiId): string =>
  `${webUrl}/?q=${encodeURIComponent(id)}`

export const unknownInterest = (id: EmojiId) =>
  refusal('not_found', 'unknown_interest', `You are not watching ${id}.`)

export const alreadyInterested = (id: EmojiId) =>
  duplicate('emoji_id', `You are already watching ${id}.`)

export const ownId = (id: EmojiId) =>
  refusalIn('emoji_id', 'refused', 'eligibility', `You already own ${id}.`)

export const tooManyInterests = () => {
  const message = `You are watching ${interestsAtMost} ids. Remove some first.`
  return refusal('refused', 'too_many_interests', message)
}

export const expiredLink = () =>
  refusal(
    'refused',
    'expired_link',
    'This link has expired or was already used. You won’t get another email about this emoji id.',
  )
