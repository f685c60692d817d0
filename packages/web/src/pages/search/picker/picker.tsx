import { heldBackEmojis, type SkinTone } from '@emojid/core'
import { type RefObject, useId, useMemo, useState } from 'react'
import { Spinner } from '../../../design/button.tsx'
import { Emoji } from '../../../design/emoji-id.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import type { EmojiDetails, EmojiGroup } from '../finder.ts'
import type { Piece } from '../read-text.ts'
import { type Finder, useFinder } from '../use-finder.ts'
import { EmojiGrid } from './emoji-grid.tsx'
import { GroupTabs, tabId } from './group-tabs.tsx'
import { texts } from './texts.ts'
import { Tones, withTone } from './tones.tsx'

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
