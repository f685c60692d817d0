import { useState } from 'react'
import { Checkbox } from '../../../design/choice.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { Panel } from '../parts/panel.tsx'
import { userActions } from './queries.ts'
import type { ShownUser } from './shown-user.ts'
import { texts } from './texts.ts'

type Props = { user: ShownUser; userName: string }

/** The actions on the access of an account. */
export function AccessPanel({ user, userName }: Props) {
  const { id, deactivated_at, deleted_at, two_factor_auth } = user
  const { activate, deactivate, removeSecondFactor, remove } = userActions(id)
  if (deleted_at) return <DeletedAccess user={user} />
  const dialogProps = { asksReason: true, isDangerous: true }
  return (
    <Panel title={texts.danger} text={texts.dangerText}>
      <div className="flex flex-wrap gap-3">
        {deactivated_at ? (
          <AskButton
            {...texts.activate}
            text={texts.activate.text(userName)}
            asksReason
            run={activate}
          />
        ) : (
          <DeactivateButton userName={userName} run={deactivate} />
        )}
        {two_factor_auth && two_factor_auth.length > 0 ? (
          <AskButton
            {...dialogProps}
            {...texts.removeFactor}
            text={texts.removeFactor.text(userName)}
            run={removeSecondFactor}
          />
        ) : null}
        <AskButton
          {...dialogProps}
          {...texts.remove}
          look="danger"
          text={texts.remove.text(userName)}
          run={remove}
        />
      </div>
    </Panel>
  )
}

/** A deleted account has no access, but the person behind it can be barred for a while. */
function DeletedAccess({ user: { id, is_removed } }: { user: ShownUser }) {
  const { activate, deactivate } = userActions(id)
  return (
    <Panel title={texts.danger} text={texts.deletedText}>
      {is_removed ? (
        <AskButton {...texts.readmit} asksReason run={activate} />
      ) : (
        <AskButton
          {...texts.bar}
          asksReason
          isDangerous
          run={(reason) => deactivate(reason, false)}
        />
      )}
    </Panel>
  )
}

type DeactivateProps = {
  userName: string
  run: (reason: string, suspendsIds: boolean) => Promise<unknown>
}

/** Suspends the ids too, unless the operator unticks it. */
function DeactivateButton({ userName, run }: DeactivateProps) {
  const [suspendsIds, setSuspendsIds] = useState(true)
  const { suspend, suspendHint, text, ...dialog } = texts.deactivate
  return (
    <AskButton
      {...dialog}
      text={text(userName)}
      asksReason
      isDangerous
      sends={suspendsIds}
      onOpen={() => setSuspendsIds(true)}
      run={(reason) => run(reason, suspendsIds)}
    >
      <Checkbox
        label={suspend}
        hint={suspendHint}
        checked={suspendsIds}
        onChange={(event) => setSuspendsIds(event.target.checked)}
      />
    </AskButton>
  )
}
