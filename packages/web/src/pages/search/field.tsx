import { MAX_EMOJIS, nameOfEmoji } from '@emojid/core'
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useId } from 'react'
import { addresses } from '../../api/addresses.ts'
import { Emoji } from '../../design/emoji-id.tsx'
import { idInAddress, type Piece, readEmojis, readText } from './read-text.ts'
import { texts } from './texts.ts'
import type { Selection } from './use-chosen.ts'
import { useFinder } from './use-finder.ts'

type Props = {
  chosen: Selection
  draft: string
  setDraft: (draft: string) => void
  fieldRef: RefObject<HTMLInputElement | null>
  /** Moves the focus to the emojis. */
  onDown?: () => void
  hint?: string
}

/** Adds emojis immediately; adds a name on Enter or paste. */
export function Field({
  chosen,
  draft,
  setDraft,
  fieldRef,
  onDown,
  hint = texts.field.hint,
}: Props) {
  const { data: finder } = useFinder()
  const id = useId()
  const take = (text: string, isDone: boolean) => {
    const { pieces, rest } = isDone ? readText(text, finder?.emojiNamed) : readEmojis(text)
    if (pieces.length > 0) chosen.add(pieces)
    setDraft(rest)
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault()
    const pasted = idInAddress(event.clipboardData.getData('text'), addresses.web)
    take(`${draft} ${pasted}`, true)
  }
  /** Copies the chosen emojis together with the typed text. */
  const copy = (event: ClipboardEvent<HTMLInputElement>) => {
    if (draft !== '' || chosen.text === '') return
    event.preventDefault()
    event.clipboardData.setData('text/plain', chosen.text)
  }
  const enter = () => {
    const namedText = readText(draft, finder?.emojiNamed)
    const [best] = namedText.rest === '' ? [] : (finder?.findEmojis(draft) ?? [])
    if (namedText.rest === '') take(draft, true)
    else if (best) take(best.emoji, true)
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Backspace' && draft === '') chosen.removeAt(chosen.pieces.length - 1)
    if (event.key === 'Escape') setDraft('')
    if (event.key !== 'ArrowDown' || !onDown) return
    event.preventDefault()
    onDown()
  }
  const isEmpty = chosen.pieces.length === 0
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          enter()
        }}
      >
        <div className="flex items-baseline justify-between gap-4 pb-2 font-medium text-sm text-soft">
          <label htmlFor={id}>{texts.field.label}</label>
          <span className="tabular-nums">{texts.field.count(chosen.pieces.length)}</span>
        </div>
        <div className="flex min-h-20 flex-wrap items-center gap-2 rounded-2xl border-2 border-line bg-ground px-3 py-2 has-[input:focus-visible]:border-main has-[input:focus-visible]:outline-3 has-[input:focus-visible]:outline-main/40">
          {isEmpty ? null : (
            <ul aria-label={texts.field.chosen} className="contents">
              {chosen.pieces.map((piece, place) => (
                <Chip
                  // biome-ignore lint/suspicious/noArrayIndexKey: an emoji is identified by its position
                  key={place}
                  piece={piece}
                  onRemove={() => {
                    chosen.removeAt(place)
                    fieldRef.current?.focus()
                  }}
                />
              ))}
            </ul>
          )}
          <input
            ref={fieldRef}
            id={id}
            aria-describedby={`${id}-hint`}
            className="h-12 min-w-40 flex-1 bg-transparent px-1 text-xl outline-none placeholder:text-soft"
            placeholder={isEmpty ? texts.field.placeholder : placeholderOf(chosen)}
            value={draft}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            onChange={({ target, nativeEvent }) =>
              (nativeEvent as InputEvent).isComposing
                ? setDraft(target.value)
                : take(target.value, false)
            }
            onCompositionEnd={({ currentTarget }) => take(currentTarget.value, false)}
            onPaste={paste}
            onCopy={copy}
            onKeyDown={press}
          />
        </div>
        <p id={`${id}-hint`} className="sr-only">
          {hint}
        </p>
      </form>
    </search>
  )
}

const placeholderOf = ({ pieces }: Selection): string =>
  pieces.length < MAX_EMOJIS ? texts.field.placeholderMore : ''

type ChipProps = { piece: Piece; onRemove: () => void }

/** A chosen emoji with a remove button. */
const Chip = ({ piece: { text, fault }, onRemove }: ChipProps) => (
  <li
    className={`flex items-center rounded-xl py-1 pr-1 pl-2 ${fault ? 'bg-wrong-ground ring-2 ring-wrong' : 'bg-card shadow-xs'}`}
  >
    <span className="text-4xl leading-none">{fault ? text : <Emoji emoji={text} />}</span>
    <button
      type="button"
      aria-label={texts.field.remove(fault ? text : nameOfEmoji(text))}
      onClick={onRemove}
      className={`ml-1 grid size-7 place-items-center rounded-full hover:bg-tint ${fault ? 'text-wrong' : 'text-soft'}`}
    >
      <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4">
        <path d="m4 4 8 8m0-8-8 8" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
      </svg>
    </button>
  </li>
)
