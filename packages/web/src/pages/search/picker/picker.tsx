import {
  displayFormat,
  type EmojiId,
  heldBackEmojis,
  SHEET_COLUMNS,
  type SkinTone,
  sheetPath,
  skinTones,
} from '@emojid/core'
import { type KeyboardEvent, type RefObject, useId, useMemo, useRef, useState } from 'react'
import { Spinner } from '../../../design/button.tsx'
import { artOf, Emoji } from '../../../design/emoji-id.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import type { EmojiDetails, EmojiGroup } from '../finder.ts'
import type { Piece } from '../read-text.ts'
import { type Finder, useFinder } from '../use-finder.ts'
import { EmojiGrid } from './emoji-grid.tsx'
import { texts } from './texts.ts'

type Props = {
  /** The typed words; matching emojis replace the group. */
  typed: string
  chosen: readonly Piece[]
  onPick: (emoji: string) => void
  onLeave: () => void
  gridRef: RefObject<HTMLTableElement | null>
}

const heldBack = heldBackEmojis()
const isHeldBack = (emoji: string): boolean => heldBack.has(emoji)

/** The picker for all emojis that an id can contain. */
export function Picker(props: Props) {
  const finder = useFinder()
  const [tone, setTone] = useState<SkinTone>()
  return (
    <Card className="grid grid-cols-1 content-start gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2>{texts.title}</h2>
        <Tones chosen={tone} onChoose={setTone} />
      </div>
      <ErrorOf thrown={finder.error} />
      {finder.data ? (
        <Emojis {...props} finder={finder.data} tone={tone} />
      ) : (
        <p className="flex h-96 items-center justify-center gap-3 text-soft">
          {texts.loading} <Spinner />
        </p>
      )}
    </Card>
  )
}

type EmojisProps = Props & { finder: Finder; tone: SkinTone | undefined }

function Emojis({ typed, chosen, finder, tone, onPick, onLeave, gridRef }: EmojisProps) {
  const [group, setGroup] = useState<EmojiGroup>('animals')
  const [previewedEmoji, setPreviewedEmoji] = useState<EmojiDetails>()
  const panelId = useId()
  const word = typed.trim()
  const emojis = useMemo(
    () => (word ? finder.findEmojis(word) : finder.inGroup(group)),
    [finder, word, group],
  )
  const label = word ? texts.found(word) : texts.groups[group]
  const grid = (
    <EmojiGrid
      label={label}
      emojis={emojis}
      isHeldBack={isHeldBack}
      onPick={onPick}
      onLeave={onLeave}
      gridRef={gridRef}
      shownAs={(emoji) => withTone(emoji, tone)}
      onLook={setPreviewedEmoji}
    />
  )
  return (
    <>
      {word ? (
        <h3 className="font-semibold">{label}</h3>
      ) : (
        <GroupTabs groups={finder.groups} chosen={group} panelId={panelId} onChoose={setGroup} />
      )}
      {word ? (
        <div>{emojis.length > 0 ? grid : <p className="sm:h-80 lg:h-112">{texts.nothing}</p>}</div>
      ) : (
        <div role="tabpanel" id={panelId} aria-labelledby={tabId(panelId, group)}>
          {grid}
        </div>
      )}
      <EmojiPreview emoji={previewedEmoji} tone={tone} chosen={chosen} />
    </>
  )
}

type EmojiPreviewProps = Pick<Props, 'chosen'> & {
  emoji: EmojiDetails | undefined
  tone: SkinTone | undefined
}

/** An enlarged emoji under the pointer or focus, and the chosen ones, as the field may be out of sight. */
const EmojiPreview = ({ emoji, tone, chosen }: EmojiPreviewProps) => (
  <div
    aria-hidden="true"
    className="flex h-12 items-center justify-between gap-4 border-hair border-t pt-3 text-sm"
  >
    {emoji ? (
      <p className="flex min-w-0 items-center gap-3">
        <span className="text-3xl leading-none">
          <Emoji emoji={withTone(emoji.emoji, tone)} />
        </span>
        <span className="truncate">
          <b>{emoji.name}</b> <span className="text-soft">{emoji.keywords.join(', ')}</span>
        </span>
      </p>
    ) : (
      <p className="text-soft max-sm:invisible pointer-coarse:invisible">{texts.hint}</p>
    )}
    <p className="flex shrink-0 gap-0.5 text-2xl leading-none">
      {chosen.map(({ text, fault }, place) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: an emoji is identified by its position
        fault ? null : <Emoji key={place} emoji={text} />,
      )}
    </p>
  </div>
)

type GroupTabsProps = {
  groups: readonly EmojiGroup[]
  chosen: EmojiGroup
  panelId: string
  onChoose: (group: EmojiGroup) => void
}

/** The emojis of the sheet `groups`, as in `make-pictures.cjs`. */
const icons: Readonly<Record<EmojiGroup, string>> = {
  smileys: '😍',
  people: '👋',
  animals: '🦊',
  food: '🍕',
  travel: '🚀',
  activities: '🎨',
  objects: '💎',
  symbols: '♾',
}

type GroupIconProps = { group: EmojiGroup; nth: number }

/** Its part of a sheet that has one emoji of each group, in their order; without it, its own art. */
function GroupIcon({ group, nth }: GroupIconProps) {
  const [isSheetMissing, setSheetMissing] = useState(false)
  return (
    <span aria-hidden="true" className="relative block size-[1em] overflow-hidden text-2xl">
      {isSheetMissing ? (
        <img src={artOf(icons[group])} alt="" draggable={false} className="block size-full" />
      ) : (
        <img
          src={sheetPath('groups')}
          alt=""
          draggable={false}
          onError={() => setSheetMissing(true)}
          className="absolute top-0 max-w-none"
          style={{ width: `${SHEET_COLUMNS}em`, height: '1em', left: `-${nth}em` }}
        />
      )}
    </span>
  )
}

const tabId = (panelId: string, group: EmojiGroup): string => `${panelId}-${group}`

/** Arrows move between the groups; only the selected one is a tab stop. */
function GroupTabs({ groups, chosen, panelId, onChoose }: GroupTabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const at = groups.indexOf(chosen)
    const places: Record<string, number> = {
      ArrowRight: (at + 1) % groups.length,
      ArrowLeft: (at + groups.length - 1) % groups.length,
      Home: 0,
      End: groups.length - 1,
    }
    const next = groups[places[event.key] ?? -1]
    if (!next) return
    event.preventDefault()
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`[id="${tabId(panelId, next)}"]`)?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={texts.groupsLabel}
      onKeyDown={move}
      className="grid grid-cols-4 gap-1 sm:grid-cols-8"
    >
      {groups.map((group, nth) => (
        <button
          key={group}
          type="button"
          role="tab"
          id={tabId(panelId, group)}
          aria-selected={group === chosen}
          aria-controls={panelId}
          tabIndex={group === chosen ? 0 : -1}
          onClick={() => onChoose(group)}
          className="grid justify-items-center gap-1 rounded-field px-1 py-2 font-medium text-soft text-xs hover:bg-tint aria-selected:bg-tint aria-selected:text-main aria-selected:ring-2 aria-selected:ring-main"
        >
          <GroupIcon group={group} nth={nth} />
          {texts.groups[group]}
        </button>
      ))}
    </div>
  )
}

type TonesProps = { chosen: SkinTone | undefined; onChoose: (tone: SkinTone | undefined) => void }

const withTone = (emoji: string, tone: SkinTone | undefined): string =>
  displayFormat(emoji as EmojiId, [tone])

/** The colors of the art; the first one has no tone. */
const swatches = [
  'bg-[#ffca28]',
  'bg-[#fadcbc]',
  'bg-[#e0bb95]',
  'bg-[#bf8f68]',
  'bg-[#9b643d]',
  'bg-[#594539]',
]

/** The skin tone for emojis that support one. */
function Tones({ chosen, onChoose }: TonesProps) {
  const name = useId()
  return (
    <fieldset className="flex items-center">
      <legend className="sr-only">{texts.tone}</legend>
      {[undefined, ...skinTones].map((tone, nth) => (
        <label
          key={tone ?? 'none'}
          title={texts.tones[nth]}
          className="grid size-9 cursor-pointer place-items-center rounded-full text-xl hover:bg-tint has-checked:bg-tint has-checked:ring-2 has-checked:ring-main has-focus-visible:outline-3 has-focus-visible:outline-main has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={tone === chosen}
            onChange={() => onChoose(tone)}
            aria-label={texts.tones[nth]}
          />
          <span aria-hidden="true" className={`size-6 rounded-full ${swatches[nth]}`} />
        </label>
      ))}
    </fieldset>
  )
}
