import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Emoji } from '../../../design/emoji-id.tsx'
import type { EmojiDetails } from '../finder.ts'
import { texts as searchTexts } from '../texts.ts'
import { nextCell } from './next-cell.ts'

type Props = {
  label: string
  emojis: EmojiDetails[]
  /** The emoji with the chosen skin tone. */
  shownAs: (emoji: string) => string
  isHeldBack: (emoji: string) => boolean
  onPick: (emoji: string) => void
  onLook: (emoji: EmojiDetails | undefined) => void
  /** Arrow up in the first row, or Escape. */
  onLeave: () => void
  gridRef: RefObject<HTMLTableElement | null>
}

const cellWidth = 54

/** A grid with one tab stop: arrows, Home, End and the page keys move between cells. */
export function EmojiGrid({ label, emojis, shownAs, isHeldBack, ...on }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const columns = useColumns(frame, cellWidth)
  const [active, setActive] = useState(0)
  useEffect(() => {
    if (emojis) setActive(0)
    frame.current?.scrollTo({ top: 0 })
  }, [emojis])

  const focusCell = (cell: number) =>
    on.gridRef.current?.querySelector<HTMLElement>(`[data-cell="${cell}"]`)?.focus()
  const isIn = useRef(false)
  // A new number of columns remounts the cells, and the focus is lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only values that rearrange the cells
  useLayoutEffect(() => {
    if (isIn.current) focusCell(active)
  }, [columns])

  const rows = Array.from({ length: Math.ceil(emojis.length / columns) }, (_, row) =>
    emojis.slice(row * columns, (row + 1) * columns),
  )
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || (event.key === 'ArrowUp' && active < columns)) {
      event.preventDefault()
      return on.onLeave()
    }
    const next = nextCell(event, active, { count: emojis.length, columns })
    if (next === undefined) return
    event.preventDefault()
    setActive(next)
    focusCell(next)
  }
  const labelOf = ({ emoji, name }: EmojiDetails) =>
    isHeldBack(emoji) ? `${name}, ${searchTexts.heldBack.mark}` : name

  return (
    <div
      ref={frame}
      // Reserve the scrollbar, so that no cell moves when it appears.
      className="max-h-72 overflow-y-auto overscroll-contain p-1 [scrollbar-gutter:stable] sm:h-80 sm:max-h-none lg:h-112"
    >
      <table
        ref={on.gridRef}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with key navigation between cells is a grid
        role="grid"
        aria-label={label}
        className="w-full table-fixed"
        onKeyDown={move}
        onFocus={() => {
          isIn.current = true
        }}
        onBlur={() => {
          isIn.current = false
        }}
        onMouseLeave={() => on.onLook(undefined)}
      >
        <tbody>
          {rows.map((row, rowNumber) => (
            <tr key={row[0]?.emoji}>
              {row.map((one, column) => {
                const cell = rowNumber * columns + column
                return (
                  <td key={one.emoji} className="p-0.5">
                    <button
                      type="button"
                      data-cell={cell}
                      tabIndex={cell === active ? 0 : -1}
                      aria-label={labelOf(one)}
                      onClick={() => on.onPick(shownAs(one.emoji))}
                      onFocus={() => {
                        setActive(cell)
                        on.onLook(one)
                      }}
                      onMouseEnter={() => on.onLook(one)}
                      className="relative grid aspect-square w-full place-items-center rounded-field text-3xl transition-transform hover:bg-tint active:scale-90"
                    >
                      <span className={isHeldBack(one.emoji) ? 'opacity-40 grayscale' : ''}>
                        <Emoji emoji={shownAs(one.emoji)} />
                      </span>
                      {isHeldBack(one.emoji) ? <HeldBackMark /> : null}
                    </button>
                  </td>
                )
              })}
              {/* The last row keeps the width of the others. */}
              {Array.from({ length: columns - row.length }, (_, nth) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the cells are interchangeable
                <td key={nth} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const HeldBackMark = () => (
  <svg
    aria-hidden="true"
    viewBox="0 0 16 16"
    className="absolute right-1 bottom-1 size-4 rounded-full bg-card text-soft"
  >
    <path
      d="M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Zm0 3v3l2 1.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
    />
  </svg>
)

/** The number of cells of this width that fit into an element, updated on resize. */
function useColumns(place: RefObject<HTMLElement | null>, cell: number): number {
  const [columns, setColumns] = useState(8)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const measure = () => setColumns(Math.max(4, Math.floor(element.clientWidth / cell)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [place, cell])
  return columns
}
