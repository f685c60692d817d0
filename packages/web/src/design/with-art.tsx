import { idsInText } from '@emojid/core'
import type { ReactNode } from 'react'
import { EmojiId } from './emoji-id.tsx'

/** Replaces the ids in a sentence with art; other emojis stay text. */
export const withArt = (sentence: string): ReactNode[] =>
  idsInText(sentence).map(({ text, isId }, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified by its position
    isId ? <EmojiId key={place} id={text} size="text" /> : text,
  )
