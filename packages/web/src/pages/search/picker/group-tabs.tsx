import { SHEET_COLUMNS, sheetPath } from '@emojid/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { artOf } from '../../../design/emoji-id.tsx'
import type { EmojiGroup } from '../finder.ts'
import { texts } from './texts.ts'

type Props = {
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

export const tabId = (panelId: string, group: EmojiGroup): string => `${panelId}-${group}`

/** Arrows move between the groups; only the selected one is a tab stop. */
export function GroupTabs({ groups, chosen, panelId, onChoose }: Props) {
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
