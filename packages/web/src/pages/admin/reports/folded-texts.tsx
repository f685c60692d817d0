import { When } from '../../../design/date.tsx'
import type { ReportView } from './queries.ts'

/** The texts of reports that were folded into one, newest first. */
export const FoldedTexts = ({ texts }: { texts: ReportView['folded_texts'] }) => (
  <ul className="grid gap-2 text-left">
    {texts.toReversed().map(({ text, at }) => (
      <li key={`${at} ${text}`} className="wrap-anywhere whitespace-pre-line">
        {text}{' '}
        <span className="text-soft">
          (<When at={at} />)
        </span>
      </li>
    ))}
  </ul>
)
