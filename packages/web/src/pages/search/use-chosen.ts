import { type EmojiId, MAX_EMOJIS, parseEmojiId } from '@emojid/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { inPlace, type Piece, readText, textOf } from './read-text.ts'
import { useSettled } from './use-settled.ts'

export type Selection = {
  pieces: Piece[]
  /** The text with skin tones. */
  text: string
  /** The id after a pause, if it is valid. */
  id: EmojiId | undefined
  /** At least one emoji is chosen, and all are valid. */
  isRight: boolean
  /** More emojis are chosen than an id can hold. */
  isTooMuch: boolean
  add: (more: readonly Piece[]) => void
  removeAt: (place: number) => void
}

type State = { pieces: Piece[]; isTooMuch: boolean }

export const chosenOf = (pieces: readonly Piece[]): State => ({
  pieces: inPlace(pieces.slice(0, MAX_EMOJIS)),
  isTooMuch: pieces.length > MAX_EMOJIS,
})

/** The chosen emojis, stored in the URL, so that a search can be shared. */
export function useChosen(): Selection {
  const { q = '' } = useSearch({ from: '/' })
  const [{ pieces, isTooMuch }, setState] = useState(() => chosenOf(readText(q).pieces))
  const text = textOf(pieces)
  const isRight = pieces.length > 0 && pieces.every(({ fault }) => !fault)
  const settledText = useSettled(text)
  useAddress(
    settledText,
    useCallback((queryText) => setState(chosenOf(readText(queryText).pieces)), []),
  )
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
  }
}

/** Writes the URL and follows outside changes, such as the back button or a link. */
function useAddress(text: string, onChange: (text: string) => void): void {
  const { q = '' } = useSearch({ from: '/' })
  const navigate = useNavigate()
  const lastQuery = useRef(q)
  /** Own updates readArrival late, when newer ones may exist. */
  const underway = useRef<string[]>([])

  useEffect(() => {
    const own = underway.current.indexOf(q)
    underway.current = underway.current.slice(own + 1)
    if (own >= 0 || q === lastQuery.current) return
    lastQuery.current = q
    onChange(q)
  }, [q, onChange])

  const last = useRef(text)
  useEffect(() => {
    if (text === last.current) return
    last.current = text
    if (text === lastQuery.current) return
    lastQuery.current = text
    underway.current.push(text)
    const search = text ? { q: text } : {}
    navigate({ to: '/', search, replace: true, resetScroll: false }).finally(() => {
      if (underway.current.at(-1) === text) underway.current = []
    })
  }, [text, navigate])
}
