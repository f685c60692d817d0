import { parseTonedEmojiId } from '@emojid/core'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { addresses } from '../../../../api/addresses.ts'
import { sharedIds } from '../../../../api/shared-ids.ts'
import { Button } from '../../../../design/button.tsx'
import { CopyButton } from '../../../../design/copy-button.tsx'
import { download } from '../../../../design/download.ts'
import { spokenNames } from '../../../../design/emoji-id.tsx'
import { Card } from '../../../../design/feedback.tsx'
import { QrCode } from '../../../../design/qr-code.tsx'
import { qrPng, qrSvg } from './qr-files.ts'
import { RequestAmount } from './request-amount.tsx'
import { texts as pageTexts } from './texts.ts'

const { link: texts } = pageTexts

/** The link and the codes that an owner gives to payers. */
export function IdSharePage() {
  const { id } = useParams({ from: '/account/ids/$id' })
  const url = `${addresses.web}/${encodeURIComponent(parseTonedEmojiId(id).id)}`
  const name = spokenNames(id).replaceAll(/[^a-z0-9]+/g, '-')
  useEffect(() => sharedIds.note(id), [id])
  return (
    <div className="grid gap-5">
      <Card className="grid gap-4">
        <div>
          <h2>{texts.title}</h2>
          <p className="text-soft">{texts.text}</p>
        </div>
        <div className="flex flex-wrap items-start gap-5">
          <QrCode text={url} label={texts.qr} />
          <div className="grid min-w-0 flex-1 basis-52 justify-items-start gap-3">
            <p className="wrap-anywhere text-sm">{url}</p>
            <CopyButton text={url} label={texts.copy} />
            {'share' in navigator ? (
              // People may close the dialog of their phone.
              <Button look="second" onClick={() => navigator.share({ url }).catch(() => {})}>
                {texts.share}
              </Button>
            ) : null}
            <Button
              look="second"
              onClick={async () => download(await qrPng(url), `${name}.png`, 'image/png')}
            >
              {texts.png}
            </Button>
            <Button
              look="second"
              onClick={() => download(qrSvg(url), `${name}.svg`, 'image/svg+xml')}
            >
              {texts.svg}
            </Button>
          </div>
        </div>
      </Card>
      <RequestAmount id={id} />
    </div>
  )
}
