import type { NewRecord } from '../../../api/records.ts'
import { formOf, partsOf } from '../../../records/parts.ts'
import { accountTexts } from '../../../texts/en-account.ts'

const t = accountTexts.records

/** What a record says, as text: whatever its owner wrote stays text. */
export function RecordText({ record }: { record: NewRecord }) {
  const { text, label, isDefault } = partsOf(record)
  const isPlain = formOf(record.tag) === 'plain'
  return (
    <>
      <span dir="auto" className={isPlain ? 'wrap-anywhere' : 'font-mono text-sm break-all'}>
        {text}
      </span>
      {label ? (
        <span className="block text-sm wrap-anywhere">
          {t.label}: <bdi>{label}</bdi>
        </span>
      ) : null}
      {isDefault ? <span className="block text-sm">{t.default}</span> : null}
    </>
  )
}
