import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ownIdPageQuery } from '../../../api/own-ids.ts'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { focusContent } from '../../../design/focus-content.ts'
import { isFuture } from '../../../time.ts'
import { releaseId } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.release

type Standing = {
  minted: boolean
  frozen_at?: string | null
  signed_until?: string | null
  blocked_until: string | null
}

/** Why the id cannot be released right now. */
function findObstacle({ minted, frozen_at, signed_until, blocked_until }: Standing) {
  if (minted) return texts.minted
  const isHeldUp = frozen_at || isFuture(signed_until) || isFuture(blocked_until)
  return isHeldUp ? texts.notNow : undefined
}

/** Releases an id. */
export function ReleaseId({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
  const { data } = useQuery(ownIdPageQuery({ page: 0, q: id }))
  const own = data?.data.find((one) => [one.emoji_id, one.canonical_format].includes(id))
  const obstacle = own && findObstacle(own)
  if (obstacle) return <p className="border-t border-hair pt-4 text-sm text-soft">{obstacle}</p>
  return (
    <div className="border-t border-hair pt-4">
      <Button look="quiet" className="-ml-3" onClick={() => setAsked(true)}>
        {texts.open}
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title={texts.title}
          text={
            <span className="grid gap-3">
              <EmojiId id={id} />
              <span>{texts.text}</span>
            </span>
          }
          action={texts.action}
          isDangerous
          run={() => releaseId(id)}
          onDone={async () => {
            announce(texts.done)
            // Leave first: queries on this page would ask for an id that no longer exists.
            await navigate({ to: '/account' })
            queries.removeQueries({ type: 'inactive' })
            await queries.invalidateQueries()
            focusContent()
          }}
          onClose={() => setAsked(false)}
        >
          <Checkbox label={texts.sure} required />
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
