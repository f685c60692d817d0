import type { Strength } from '@emojid/core'
import type { NewRecord } from '../../../../api/records.ts'
import { isRefused, judge, recordStrength } from '../../../../records/judge.ts'
import { texts as sharedTexts } from '../../../texts.ts'

const signs: Record<Strength, string> = { checksum: '✓', format: 'i', none: '?' }
const looks: Record<Strength, string> = {
  checksum: 'text-good',
  format: 'text-soft',
  none: 'text-soft',
}

/** How well an address is verified. */
export const StrengthLine = ({ strength }: { strength: Strength }) => (
  <p className={`flex gap-2 text-sm ${looks[strength]}`}>
    <span aria-hidden="true" className="w-3 text-center font-bold">
      {signs[strength]}
    </span>
    {sharedTexts.strengths[strength]}
  </p>
)

type Props = {
  record: NewRecord
  /** The strength of the text that the owner entered. */
  strength?: Strength
}

/** The same for a record in its stored spelling; old records may fail today's checks. */
export function StrengthOf({ record, strength }: Props) {
  const verdict = judge(record)
  if (!isRefused(verdict)) return <StrengthLine strength={strength ?? recordStrength(verdict)} />
  return <p className="text-sm font-medium text-wrong">{verdict.why}</p>
}
