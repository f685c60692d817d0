import { CopyButton } from '../../../design/copy-button.tsx'
import { texts } from './texts.ts'

export const ClientId = ({ id }: { id: string }) => (
  <div className="flex flex-wrap items-center gap-3">
    <code className="wrap-anywhere">{id}</code>
    <CopyButton text={id} label={texts.copyId} />
  </div>
)
