import type { NewRecord } from '../../../api/records.ts'
import { formOf, partsOf } from '../../../records/parts.ts'
import { texts as pageTexts } from './texts.ts'

/** The value of a record as plain text, never as markup. */
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
          {pageTexts.label}: <bdi>{label}</bdi>
        </span>
      ) : null}
      {isDefault ? <span className="block text-sm">{pageTexts.default}</span> : null}
    </>
  )
}
