import { parseEmojiId } from '@emojid/core'
import { useState } from 'react'
import type { Piece } from '../../search/read-text.ts'
import { textOf } from '../../search/read-text.ts'
import { chosenOf, type Selection } from '../../search/use-chosen.ts'
import { useSettled } from '../../search/use-settled.ts'

/** The typed id, as on the search page but not in the URL. */
export function useTypedId(): Selection & { clear: () => void } {
  const [{ pieces, isTooMuch }, setState] = useState(() => chosenOf([]))
  const text = textOf(pieces)
  const isRight = pieces.length > 0 && pieces.every(({ fault }) => !fault)
  const settledText = useSettled(text)
  const change = (next: (before: Piece[]) => Piece[]) =>
    setState((before) => chosenOf(next(before.pieces)))
  return {
    pieces,
    text,
    isRight,
    isTooMuch,
    id: isRight && settledText === text ? parseEmojiId(text) : undefined,
    add: (more) => change((before) => [...before, ...more]),
    removeAt: (place) => change((before) => before.toSpliced(place, 1)),
    clear: () => setState(chosenOf([])),
  }
}
