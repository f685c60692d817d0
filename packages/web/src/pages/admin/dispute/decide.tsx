import { type DisputeFacts, disputeActions } from '../../../api/admin-disputes.ts'
import { adminTexts } from '../../../texts/en-admin.ts'
import { AskButton } from '../parts/ask-button.tsx'

const texts = adminTexts.dispute

type Props = { dispute: DisputeFacts; emoji_id?: string }

/** Takes something back, or leaves it: one id, or everything that is frozen. */
export function Decide({ dispute, emoji_id }: Props) {
  const { takeBack, leave } = disputeActions(dispute.id)
  const mayTake = dispute.awaits_decision
  if (!mayTake && dispute.status !== 'open') return null
  return (
    <div className="flex flex-wrap gap-3">
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
