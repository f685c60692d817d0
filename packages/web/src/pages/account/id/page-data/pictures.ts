import { pictureThemes } from '@emojid/core'
import type { StoredData } from '../../../../api/id-store.ts'

/** The background of pictures: a theme name, a color, or empty. */
export type Ground = string

export const isColour = (ground: Ground): boolean => /^#[0-9a-f]{6}$/i.test(ground)

const asObject = (data: unknown): Record<string, unknown> =>
  typeof data === 'object' && data !== null && !Array.isArray(data)
    ? (data as Record<string, unknown>)
    : {}

/** The requested background. */
export function groundOf(data: unknown): Ground {
  const { background, theme } = asObject(data)
  if (typeof background === 'string' && isColour(background)) return background.toLowerCase()
  return typeof theme === 'string' && Object.hasOwn(pictureThemes, theme) ? theme : ''
}

/** Sets the requested background and keeps other members. */
export function withGround(data: unknown, ground: Ground): object {
  const { background: _, theme: __, ...rest } = asObject(data)
  if (ground === '') return rest
  return isColour(ground) ? { ...rest, background: ground } : { ...rest, theme: ground }
}

/** Requested, but not ready yet. */
export const isDrawing = ({ VisualizerData, VisualizerFileLocations }: StoredData): boolean =>
  !VisualizerFileLocations.is_locked &&
  VisualizerData.updated_at > VisualizerFileLocations.updated_at

const kinds = ['image', 'gif', 'video', 'webm'] as const
export type PictureFile = { kind: (typeof kinds)[number]; url: string }

/** The files that the directory created; ignores other URLs in the stored data. */
export function filesOf(locations: unknown, apiUrl: string): PictureFile[] {
  const named = asObject(locations)
  return kinds.flatMap((kind) => {
    const url = named[kind]
    const isOurs = typeof url === 'string' && url.startsWith(`${apiUrl}/pictures/`)
    return isOurs && /^[0-9a-f]{64}\.\w+$/.test(url.slice(apiUrl.length + 10))
      ? [{ kind, url }]
      : []
  })
}

export const hasVideo = (files: readonly PictureFile[]): boolean =>
  files.some(({ kind }) => kind === 'video' || kind === 'webm')
