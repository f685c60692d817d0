import type { EmojiId } from '@emojid/core'
import { duplicate, refusal, refusalIn } from '../../../platform/errors.ts'
import type { Letter } from '../../../platform/mail/letter.ts'
import { inDollars } from '../../../platform/mail/phrases.ts'

export const interestsAtMost = 200

export const idAvailable = ({
  emoji_id,
  price,
  link,
  end_link,
}: {
  emoji_id: string
  price: number
  link: string
  end_link: string
}): Letter => ({
  subject: `${emoji_id} is available`,
  before: `The emoji id ${emoji_id} from your watchlist is available, for ${inDollars(price)}.`,
  link: { label: `Get ${emoji_id}`, url: link },
  after:
    'Other people watch it too: the first buyer gets it. We’ll email you again only if you add it to your watchlist again.',
  end: { label: 'Remove it from your watchlist', url: end_link },
})

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
