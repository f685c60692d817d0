import { useState } from 'react'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { BackupDialog } from './backup-dialog.tsx'
import { type Provider, turnOff } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.factor

type Props = {
  user: { email: string | null; alternate_id: string | null }
  inForce: readonly Provider[]
  onAgain: (provider: Provider) => void
}

/** The enabled second factors, the default first. */
export function ActiveFactors({ user, inForce, onAgain }: Props) {
  const [ending, setEnding] = useState<Provider>()
  const [isLost, setLost] = useState(false)
  return (
    <>
      <ul className="grid gap-3">
        {inForce.map((provider, nth) => (
          <li
            key={provider}
            className="flex flex-wrap items-center justify-between gap-3 rounded-field border border-hair p-4"
          >
            <span className="flex flex-wrap items-center gap-3 font-semibold">
              {texts.ways[provider]}
              <Badge tone="good">
                {inForce.length > 1 && nth === 0 ? texts.first : texts.inForce}
              </Badge>
            </span>
            <span className="flex flex-wrap gap-2">
              <Button look="second" onClick={() => onAgain(provider)}>
                {texts.again}
                <span className="sr-only">: {texts.ways[provider]}</span>
              </Button>
              <Button look="quiet" onClick={() => setEnding(provider)}>
                {texts.turnOff}
                <span className="sr-only">: {texts.ways[provider]}</span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <div>
        <Button look="quiet" className="-ml-3" onClick={() => setLost(true)}>
          {texts.lost}
        </Button>
      </div>
      {ending ? (
        <ConfirmDialog
          title={texts.confirmOff.title(texts.ways[ending])}
          text={texts.confirmOff.text}
          action={texts.turnOff}
          isDangerous
          run={() => turnOff(ending)}
          onDone={() => announce(texts.confirmOff.done)}
          onClose={() => setEnding(undefined)}
        />
      ) : null}
      {isLost ? <BackupDialog user={user} onClose={() => setLost(false)} /> : null}
    </>
  )
}
