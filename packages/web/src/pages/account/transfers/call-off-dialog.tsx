import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { say } from '../../../design/status.tsx'
import { callTransferOff, refreshTransfers } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.confirmCallOff

export const CallOffDialog = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <ConfirmDialog
    title={texts.title}
    text={texts.text}
    action={texts.action}
    isDangerous
    run={() => callTransferOff(id)}
    onDone={() => {
      say(texts.done)
      refreshTransfers()
    }}
    onClose={onClose}
  />
)
