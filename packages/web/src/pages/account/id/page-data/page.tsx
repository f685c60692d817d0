import { pictureThemes, spokenNames } from '@emojid/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { addresses } from '../../../../api/addresses.ts'
import { type StoredData, storeQuery, writeStore } from '../../../../api/id-store.ts'
import { announce } from '../../../../design/announcements.ts'
import { Button, buttonLook } from '../../../../design/button.tsx'
import { Alert, Card, ErrorOf } from '../../../../design/feedback.tsx'
import { useAction } from '../../../../design/use-action.ts'
import { useSessionDraft } from '../../../../design/use-session-draft.ts'
import { Waiting } from '../../../../design/waiting.tsx'
import { minuteMs } from '../../../../time.ts'
import { proofQuery } from '../queries.ts'
import {
  filesOf,
  type Ground,
  groundOf,
  hasVideo,
  isColour,
  isDrawing,
  type PictureFile,
  withGround,
} from './pictures.ts'
import { ProfileEditor } from './profile-editor.tsx'
import { texts as pageTexts, pictureTexts as texts } from './texts.ts'

const askedEveryMs = 1_500

/** Edits the public page of an id. */
export function IdPageDataPage() {
  const { id } = useParams({ from: '/account/ids/$id' })
  const { data: proof, error: unreadError } = useQuery(proofQuery(id))
  const { data: storedData, error } = useQuery({
    ...storeQuery(id),
    refetchInterval: ({ state }) => (state.data && isDrawing(state.data) ? askedEveryMs : false),
  })
  if (!storedData || !proof) {
    return error || unreadError ? <ErrorOf thrown={error ?? unreadError} /> : <Waiting />
  }
  return (
    <div className="grid gap-5">
      <ProfileEditor key={id} id={id} stored={storedData} records={proof.records} />
      <Pictures key={id} id={id} stored={storedData} />
    </div>
  )
}

const slowAfterMs = 3 * minuteMs

/** The picture files of an id, created on request. */
function Pictures({ id, stored }: { id: string; stored: StoredData }) {
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

const firstColour = '#5b2bd9'

type Props = { ground: Ground; onChange: (ground: Ground) => void }

/** The background of the pictures: a theme or a custom color. */
const GroundChoice = ({ ground, onChange }: Props) => (
  <fieldset>
    <legend className="mb-2 font-semibold">{texts.ground}</legend>
    <div className="flex flex-wrap gap-2">
      <Choice text={texts.own} isChosen={ground === ''} onChoose={() => onChange('')} />
      {Object.entries(pictureThemes).map(([theme, colour]) => (
        <Choice
          key={theme}
          text={texts.themes[theme] ?? theme}
          colour={colour}
          isChosen={ground === theme}
          onChoose={() => onChange(theme)}
        />
      ))}
      <Choice
        text={texts.custom}
        isChosen={isColour(ground)}
        onChoose={() => onChange(firstColour)}
      />
      {isColour(ground) ? (
        <label className="flex min-h-11 items-center gap-2">
          <span className="sr-only">{texts.colour}</span>
          <input
            type="color"
            value={ground}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
            className="h-11 w-16 rounded-field border border-line bg-card p-1"
          />
        </label>
      ) : null}
    </div>
  </fieldset>
)

type ChoiceProps = { text: string; colour?: string; isChosen: boolean; onChoose: () => void }

const Choice = ({ text, colour, isChosen, onChoose }: ChoiceProps) => (
  <label className="flex min-h-11 cursor-pointer items-center gap-2 rounded-field border border-line px-3 font-medium has-checked:border-main has-checked:bg-tint">
    <input
      type="radio"
      name="ground"
      checked={isChosen}
      onChange={onChoose}
      className="size-4 accent-main"
    />
    {colour ? (
      <svg aria-hidden="true" viewBox="0 0 20 20" className="size-5">
        <circle cx="10" cy="10" r="9" fill={colour} stroke="currentColor" strokeOpacity="0.3" />
      </svg>
    ) : null}
    {text}
  </label>
)
