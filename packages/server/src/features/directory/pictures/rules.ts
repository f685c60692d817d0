import { createHash } from 'node:crypto'
import {
  displayFormat,
  type EmojiId,
  emojisOf,
  nameOfEmoji,
  parseTonedEmojiId,
  pictureThemes,
  spokenNames,
} from '@emojid/core'
import { iconCard } from '../../../platform/drawing/card.ts'
import type { Drawing, Format, StillPicture } from '../../../platform/drawing/drawer.ts'
import { hoppingIcons } from '../../../platform/drawing/scene.ts'
import { refusal } from '../../../platform/errors.ts'
import { type Html, html } from '../../../platform/http/pages/html.ts'

/** The default themes; each id gets one of them. */
const defaultThemes = [
  'dawn',
  'sand',
  'meadow',
  'mint',
  'lagoon',
  'sky',
  'lavender',
  'rose',
] as const

/** The id to draw, its owner and the stored data. */
export type Subject = {
  display_format: string
  pubkey: string | null
  registered_at: Date
  data: unknown
  stored_at: Date
}

/** Whether the id and its stored data are unchanged. */
export const isSame = (one: Subject, other: Subject): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

export function drawingOf({ display_format, data }: Subject): Drawing {
  const icons = iconsOf(display_format)
  return hoppingIcons(icons, groundOf(data) ?? groundFor(icons))
}

/** The card for link previews of ids without pictures. */
export const cardOf = (display_format: string): StillPicture => {
  const icons = iconsOf(display_format)
  return iconCard(icons, groundFor(icons))
}

/**
 * The code points of each emoji with its tone, without variation selectors: the file names of
 * icons.
 */
export function iconsOf(display: string): string[] {
  const { id, tones } = parseTonedEmojiId(display)
  return emojisOf(id).map((emoji, nth) =>
    [...emoji.replace('\uFE0F', ''), ...(tones[nth] ?? '')].map(hex).join('-'),
  )
}

/** Renders an id: the same art everywhere, one label for screen readers, copied as text. */
export function showEmojiId(display: string, artUrl: string): Html {
  const { id, tones } = parseTonedEmojiId(display)
  const icons = iconsOf(display)
  const emojis = emojisOf(id).map((emoji, nth) => {
    const text = displayFormat(emoji as EmojiId, [tones[nth]])
    const art = html`<img src="${artUrl}/${icons[nth] ?? ''}.svg" alt="${nameOfEmoji(emoji)}" width="40" height="40">`
    return html`<span class="emoji">${art}<span>${text}</span></span>`
  })
  const label = `emoji id: ${spokenNames(display)}`
  return html`<span class="emoji-id" role="img" aria-label="${label}">${emojis}</span>`
}

const hex = (character: string): string => (character.codePointAt(0) as number).toString(16)

/** The background colour of the owner's data. Other members are ignored. */
function groundOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { background } = data as { background?: unknown }
  if (typeof background === 'string' && /^#[0-9a-f]{6}$/i.test(background)) {
    return background.toLowerCase()
  }
  const theme = themeOf(data)
  return theme && pictureThemes[theme]
}

/** The theme that the owner named, if it exists. */
export function themeOf(data: unknown): string | undefined {
  const theme = (data as { theme?: unknown } | null)?.theme
  return typeof theme === 'string' && Object.hasOwn(pictureThemes, theme) ? theme : undefined
}

function groundFor(icons: readonly string[]): string {
  const [byte = 0] = createHash('sha256').update(icons.join(' ')).digest()
  return pictureThemes[defaultThemes[byte % defaultThemes.length] as string] as string
}

export const sha256 = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('hex')

type PictureName = { format: Format; sha256: string }

const members: Readonly<Record<Format, string>> = {
  png: 'image',
  gif: 'gif',
  mp4: 'video',
  webm: 'webm',
}

/** The public value of VisualizerFileLocations. */
export const locationsOf = (
  files: readonly PictureName[],
  baseUrl: string,
): Record<string, string> =>
  Object.fromEntries(
    files.map(({ format, sha256: name }) => [
      members[format],
      `${baseUrl}/pictures/${name}.${format}`,
    ]),
  )

export const contentTypes: Readonly<Record<Format, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  mp4: 'video/mp4',
  webm: 'video/webm',
}

/** Parses a file name. */
export function readFileName(text: string): PictureName {
  const [, name, format] = /^([0-9a-f]{64})\.(png|gif|mp4|webm)$/.exec(text) ?? []
  if (!name) throw unknownPicture()
  return { sha256: name, format: format as Format }
}

export const unknownPicture = () =>
  refusal('not_found', 'unknown_picture', 'This picture no longer exists.')
