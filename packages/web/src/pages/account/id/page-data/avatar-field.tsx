import { useId, useState } from 'react'
import { Button, buttonLook } from '../../../../design/button.tsx'
import { Alert } from '../../../../design/feedback.tsx'
import { readAvatar } from './read-avatar.ts'
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
