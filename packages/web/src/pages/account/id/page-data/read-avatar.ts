import { longestAvatar } from '@emojid/core'

const side = 160
const largestFile = 20_000_000
const qualities = [0.85, 0.7, 0.55, 0.4, 0.25]

/**
 * A picture file as a small square JPEG; undefined if the browser cannot read it. Drawing it again
 * also drops the place and the device that a camera notes in its files.
 */
export async function readAvatar(file: Blob): Promise<string | undefined> {
  if (file.size > largestFile) return undefined
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (!picture) return undefined
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) return undefined
  const size = Math.min(picture.width, picture.height)
  const [left, top] = [(picture.width - size) / 2, (picture.height - size) / 2]
  // JPEG has no transparency.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, side, side)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, left, top, size, size, 0, 0, side, side)
  picture.close()
  return qualities
    .map((quality) => canvas.toDataURL('image/jpeg', quality))
    .find((url) => url.startsWith('data:image/jpeg;') && url.length <= longestAvatar)
}
