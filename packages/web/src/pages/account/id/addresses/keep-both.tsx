import type { NewRecord } from '../../../../api/records.ts'
import { Checkbox } from '../../../../design/choice.tsx'
import { partsOf } from '../../../../records/parts.ts'
import { texts } from './texts.ts'

type Props = {
  /** Whose place is taken otherwise, saved or only noted. */
  rivals: readonly NewRecord[]
  isBeside: boolean
  setBeside: (isBeside: boolean) => void
}

/** Usually one address is enough; whoever wants several says so. */
export const KeepBoth = ({ rivals, isBeside, setBeside }: Props) =>
  rivals.length === 0 ? null : (
    <Checkbox
      label={texts.keepBoth}
      hint={texts.keepBothHint(rivals.map((rival) => partsOf(rival).text))}
      checked={isBeside}
      onChange={({ currentTarget }) => setBeside(currentTarget.checked)}
    />
  )
