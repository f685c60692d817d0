import type { Profile } from '@emojid/core'
import { useState } from 'react'
import { EmojiId, spokenNames } from '../../../../design/emoji-id.tsx'
import { Card } from '../../../../design/feedback.tsx'
import { texts } from './texts.ts'

type Props = { id: string; profile: Profile; redirect: string | undefined }

/** The public page removes a broken picture, too. */
function Avatar({ src }: { src: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return null
  return <img src={src} alt="" className="size-24 rounded-full" onError={() => setBroken(true)} />
}

/** A preview of the public page with inactive links. */
export function Preview({ id, profile: { title, text, avatar, links }, redirect }: Props) {
  const isEmpty = !title && !text && !avatar && links.length === 0
  return (
    <Card className="grid gap-5">
      <div>
        <h2>{texts.preview}</h2>
        <p className="text-soft">{texts.previewText}</p>
      </div>
      {redirect ? (
        <p className="rounded-field bg-tint px-4 py-3 wrap-anywhere">{texts.redirect(redirect)}</p>
      ) : null}
      <div className="grid justify-items-center gap-2 rounded-card border border-hair bg-ground px-4 py-8 text-center">
        {avatar ? <Avatar key={avatar} src={avatar} /> : null}
        <EmojiId id={id} />
        <p aria-hidden="true" className="text-sm text-soft">
          {spokenNames(id)}
        </p>
        {title ? (
          <p dir="auto" className="text-2xl font-bold tracking-tight wrap-anywhere">
            {title}
          </p>
        ) : null}
        {text ? (
          <p dir="auto" className="whitespace-pre-line text-soft wrap-anywhere">
            {text}
          </p>
        ) : null}
        {links.length > 0 ? (
          <ul className="mt-2 flex flex-wrap justify-center gap-2">
            {links.map(({ name, url, host }) => (
              <li
                key={url}
                className="grid max-w-full rounded-field border border-line bg-card px-4 py-2 text-start font-semibold"
              >
                <span dir="auto" className="wrap-anywhere">
                  {name}
                </span>
                {name === host ? null : (
                  <span dir="ltr" className="text-sm font-normal text-soft wrap-anywhere">
                    {host}
                  </span>
                )}
              </li>
            ))}
          </ul>
        ) : null}
        {isEmpty ? <p className="text-soft">{texts.empty}</p> : null}
      </div>
    </Card>
  )
}
