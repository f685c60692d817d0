import { AskButton } from '../parts/ask-button.tsx'
import { type DisputeFacts, disputeActions } from './queries.ts'
import { texts } from './texts.ts'

type Id = DisputeFacts['ids'][number]
type Props = { dispute: DisputeFacts; id?: Id }

/** Whether a mint signature is valid right now. */
export const isSigned = ({ signed_until }: Pick<Id, 'signed_until'>): boolean =>
  signed_until !== null && new Date(signed_until) > new Date()

/** Why the ids cannot be taken back. */
function findObstacle(ids: readonly Id[]): string | null {
  if (ids.some(({ minted }) => minted)) return texts.ids.minting
  return ids.some(isSigned) ? texts.ids.waits : null
}

/** Takes back or leaves one id, or all frozen items. */
export function DisputeDecision({ dispute, id }: Props) {
  const { takeBack, leave } = disputeActions(dispute.id)
  const emoji_id = id?.emoji_id
  if (!dispute.awaits_decision && dispute.status !== 'open') return null
  const obstacle = findObstacle(id ? [id] : dispute.ids.filter(({ frozen }) => frozen))
  const mayTake = dispute.awaits_decision && obstacle === null
  return (
    <div className="flex flex-wrap gap-3">
      {dispute.awaits_decision && id && obstacle ? (
        <p className="w-full text-sm text-soft">{obstacle}</p>
      ) : null}
      {mayTake ? (
        <AskButton
          {...texts.takeBack}
          look="danger"
          isDangerous
          asksReason
          run={(reason, key) => takeBack(key, reason, emoji_id)}
        />
      ) : null}
      <AskButton {...texts.leave} asksReason run={(reason, key) => leave(key, reason, emoji_id)} />
    </div>
  )
}
