import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { announce } from '../../../design/status.tsx'
import { cancelTransfer, refreshTransfers } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.confirmCancel

export const CancelTransferDialog = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <ConfirmDialog
    title={texts.title}
    text={texts.text}
    action={texts.action}
    isDangerous
    run={() => cancelTransfer(id)}
    onDone={() => {
      announce(texts.done)
      refreshTransfers()
    }}
    onClose={onClose}
  />
)
