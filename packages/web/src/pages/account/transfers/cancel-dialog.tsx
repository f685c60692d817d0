import { announce } from '../../../design/announcements.ts'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { cancelTransfer, refreshTransfers, type Side } from './queries.ts'
import { texts } from './texts.ts'

type Props = { id: string; side: Side; onClose: () => void }

/** The sender cancels a transfer, or the recipient declines it. */
export const CancelTransferDialog = ({ id, side, onClose }: Props) => (
  <ConfirmDialog
    title={texts.confirmCancel[side].title}
    text={texts.confirmCancel[side].text}
    action={texts.confirmCancel[side].action}
    isDangerous
    run={() => cancelTransfer(id)}
    onDone={() => {
      announce(texts.confirmCancel[side].done)
      refreshTransfers()
    }}
    onClose={onClose}
  />
)
