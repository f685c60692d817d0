import type { NewRecord } from '../../../../api/records.ts'
import { Checkbox } from '../../../../design/choice.tsx'
import { partsOf } from '../../../../records/parts.ts'
import { texts } from './texts.ts'

type Props = {
  /** The records that would be replaced, saved or drafted. */
  rivals: readonly NewRecord[]
  isBeside: boolean
  setBeside: (isBeside: boolean) => void
}

/** One address per currency is the default; the owner can keep several. */
export const KeepBoth = ({ rivals, isBeside, setBeside }: Props) =>
  rivals.length === 0 ? null : (
    <Checkbox
      label={texts.keepBoth}
      hint={texts.keepBothHint(rivals.map((rival) => partsOf(rival).text))}
      checked={isBeside}
      onChange={({ currentTarget }) => setBeside(currentTarget.checked)}
    />
  )
