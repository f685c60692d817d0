import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, told } from '../../../api/client.ts'
import { queries } from '../../../api/queries.ts'
import { Button } from '../../../design/button.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { focusContent } from '../../../design/focus-content.ts'
import { say } from '../../../design/status.tsx'
import { accountTexts } from '../../../texts/en-account.ts'

const texts = accountTexts.frame.giveBack

/** For who does not want an id any more, or wants to delete the account. */
export function GiveBack({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
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
          run={() =>
            told(api.DELETE('/emoji_id/{emoji_id}', { params: { path: { emoji_id: id } } }))
          }
          onDone={async () => {
            say(texts.done)
            // From elsewhere: here everything would ask after an id that is gone.
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
