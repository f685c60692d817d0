import { SHEET_COLUMNS, sheetPath } from '@emojid/core'
import { type KeyboardEvent, useRef } from 'react'
import type { EmojiGroup } from '../finder.ts'
import { texts } from './texts.ts'

type Props = {
  groups: readonly EmojiGroup[]
  chosen: EmojiGroup
  panelId: string
  onChoose: (group: EmojiGroup) => void
}

/** Its part of a sheet that has one emoji of each group, in their order. */
const GroupIcon = ({ nth }: { nth: number }) => (
  <span aria-hidden="true" className="relative block size-[1em] overflow-hidden text-2xl">
    <img
      src={sheetPath('groups')}
      alt=""
      draggable={false}
      className="absolute top-0 max-w-none"
      style={{ width: `${SHEET_COLUMNS}em`, height: '1em', left: `-${nth}em` }}
    />
  </span>
)

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
          <GroupIcon nth={nth} />
          {texts.groups[group]}
        </button>
      ))}
    </div>
  )
}
