import { longestAvatar } from '@emojid/core'
import { useId, useState } from 'react'
import { Button, buttonLook } from '../../../../design/button.tsx'
import { Alert } from '../../../../design/feedback.tsx'
import { avatarTexts as texts } from './texts.ts'

type Props = { avatar: string; onChange: (avatar: string) => void }

/** Chooses the picture of the owner. */
export function AvatarField({ avatar, onChange }: Props) {
  const id = useId()
  const [isUnreadable, setUnreadable] = useState(false)
  const choose = async (file: File | undefined) => {
    if (!file) return
    const picture = await readAvatar(file)
    setUnreadable(!picture)
    if (picture) onChange(picture)
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-semibold">{texts.legend}</legend>
      <div className="flex flex-wrap items-center gap-4">
        {avatar ? (
          <img src={avatar} alt={texts.alt} className="size-20 rounded-full border border-hair" />
        ) : null}
        <label
          className={`${buttonLook('second')} cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2`}
        >
          {avatar ? texts.replace : texts.choose}
          <input
            type="file"
            accept="image/*"
            aria-describedby={`${id}-hint`}
            className="sr-only"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              // The same file can be chosen again.
              void choose(file).finally(() => {
                currentTarget.value = ''
              })
            }}
          />
        </label>
        {avatar ? (
          <Button look="quiet" onClick={() => onChange('')}>
            {texts.remove}
          </Button>
        ) : null}
      </div>
      <p id={`${id}-hint`} className="text-sm text-soft">
        {texts.hint}
      </p>
      {isUnreadable ? <Alert>{texts.unreadable}</Alert> : null}
    </fieldset>
  )
}

const side = 160
const largestFile = 20_000_000
const qualities = [0.85, 0.7, 0.55, 0.4, 0.25]

/**
 * A picture file as a small square JPEG; undefined if the browser cannot read it. Drawing it again
 * also drops the place and the device that a camera notes in its files.
 */
async function readAvatar(file: Blob): Promise<string | undefined> {
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
