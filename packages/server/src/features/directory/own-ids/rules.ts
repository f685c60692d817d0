import { type EmojiId, emojiAlphabet, emojiSlugs, parseEmojiId, shortname } from '@emojid/core'
import { refusal } from '../../../platform/errors.ts'

/** Six emojis, each by two words of its name. */
const wordsAtMost = 12

/** Search terms: an id matches if it contains one text of every group. */
export type SearchWords = readonly (readonly string[])[]

/** Emojis match literally; words match the names of single emojis. */
export function readWanted(text: string): SearchWords {
  const lowerText = text.trim().toLowerCase()
  if (lowerText === '') return []
  const id = readId(lowerText)
  if (id) return [[id]]
  const words = new Set(lowerText.split(/[\s.,-]+/))
  if (words.size > wordsAtMost) throw tooManyWords()
  return [...words].map(emojisNamed)
}

function readId(text: string): EmojiId | undefined {
  try {
    return parseEmojiId(text.replaceAll(/\s/g, ''))
  } catch {
    return undefined
  }
}

function emojisNamed(word: string): string[] {
  const slugs = emojiSlugs()
  return emojiAlphabet.filter((_emoji, nth) =>
    slugs[nth]?.split('-').some((part) => part.startsWith(word)),
  )
}

export type OwnedRow = {
  emoji_id: string
  display_format: string
  bought_at: Date | null
  created_at: Date
  received_at: Date | null
  blocked_until: Date | null
  signed_until: Date | null
  minted: boolean
  frozen_at: Date | null
  suspended_at: Date | null
  suspension_reason: string | null
}

export function showOwn({ emoji_id, display_format, received_at, bought_at, ...row }: OwnedRow) {
  const id = emoji_id as EmojiId
  return {
    emoji_id: display_format,
    canonical_format: id,
    shortname: shortname(id),
    came_by: received_at
      ? ('received' as const)
      : bought_at
        ? ('bought' as const)
        : ('given' as const),
    since: received_at ?? bought_at ?? row.created_at,
    blocked_until: row.blocked_until,
    signed_until: row.signed_until,
    minted: row.minted,
    frozen_at: row.frozen_at,
    suspended_at: row.suspended_at,
    suspension_reason: row.suspension_reason,
  }
}

const tooManyWords = () =>
  refusal('invalid', 'invalid_request', `Search for at most ${wordsAtMost} words at once.`)
