import { idsInText } from '@emojid/core'
import type { ReactNode } from 'react'
import { EmojiId } from './emoji-id.tsx'

/** A sentence in which ids look as they do everywhere; emojis that no id can have stay text. */
export const withArt = (sentence: string): ReactNode[] =>
  idsInText(sentence).map(({ text, isId }, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the place in the sentence is what it is
    isId ? <EmojiId key={place} id={text} size="text" /> : text,
  )
