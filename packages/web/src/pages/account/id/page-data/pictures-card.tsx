import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { addresses } from '../../../../api/addresses.ts'
import { type StoredData, storeQuery, writeStore } from '../../../../api/id-store.ts'
import { announce } from '../../../../design/announcements.ts'
import { Button, buttonLook } from '../../../../design/button.tsx'
import { spokenNames } from '../../../../design/emoji-id.tsx'
import { Alert, Card, ErrorOf } from '../../../../design/feedback.tsx'
import { useAction } from '../../../../design/use-action.ts'
import { useSessionDraft } from '../../../../design/use-session-draft.ts'
import { Waiting } from '../../../../design/waiting.tsx'
import { minuteMs } from '../../../../time.ts'
import { GroundChoice } from './ground-choice.tsx'
import { filesOf, groundOf, hasVideo, isDrawing, type PictureFile, withGround } from './pictures.ts'
import { texts as pageTexts, pictureTexts as texts } from './texts.ts'

const slowAfterMs = 3 * minuteMs

/** The picture files of an id, created on request. */
export function Pictures({ id, stored }: { id: string; stored: StoredData }) {
  const queries = useQueryClient()
  const { VisualizerData: wish, VisualizerFileLocations: locations } = stored
  const [ground, setGround] = useSessionDraft(`picture ${id}`, groundOf(wish.data))
  const isUnderWay = isDrawing(stored)
  const files = filesOf(locations.data, addresses.api)
  const isLocked = wish.is_locked || locations.is_locked
  const ask = useAction({
    mutationFn: () => writeStore(id, 'VisualizerData', withGround(wish.data, ground)),
    onSettled: () => queries.invalidateQueries(storeQuery(id)),
  })
  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (wasUnderWay.current && !isUnderWay) announce(texts.drawn)
    wasUnderWay.current = isUnderWay
  }, [isUnderWay])
  const isSlow = isUnderWay && Date.now() - Date.parse(wish.updated_at) > slowAfterMs
  return (
    <Card className="grid gap-5">
      <div>
        <h2>{texts.title}</h2>
        <p className="text-soft">{texts.text}</p>
      </div>
      {isLocked ? <Alert>{pageTexts.locked}</Alert> : null}
      <form
        aria-label={texts.title}
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          ask.mutate()
        }}
      >
        <GroundChoice ground={ground} onChange={setGround} />
        <ErrorOf thrown={ask.error} />
        <div>
          <Button type="submit" disabled={isLocked} isBusy={ask.isPending}>
            {files.length > 0 ? texts.drawAgain : texts.draw}
          </Button>
        </div>
      </form>
      {isUnderWay ? <Waiting text={isSlow ? texts.slow : texts.drawing} /> : null}
      {files.length > 0 ? <Files files={files} names={spokenNames(id)} /> : null}
      {files.length > 0 && !isUnderWay && !hasVideo(files) ? (
        <p className="text-sm text-soft">{texts.noVideo}</p>
      ) : null}
    </Card>
  )
}

function Files({ files, names }: { files: readonly PictureFile[]; names: string }) {
  const picture = files.find(({ kind }) => kind === 'image')
  return (
    <div className="flex flex-wrap items-start gap-5">
      {picture ? (
        <img
          src={picture.url}
          alt={texts.alt(names)}
          className="size-48 rounded-card border border-hair"
        />
      ) : null}
      <div className="grid gap-2">
        <h3 className="font-semibold">{texts.files}</h3>
        <ul className="grid justify-items-start gap-2">
          {files.map(({ kind, url }) => (
            <li key={kind}>
              <a href={url} download className={buttonLook('second')}>
                {texts.download}: {texts.kinds[kind]}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
