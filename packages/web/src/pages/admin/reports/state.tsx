import { Badge } from '../../../design/badge.tsx'
import { texts } from '../texts.ts'
import type { ReportView } from './queries.ts'

/** Open, or the decision. */
export const ReportState = ({ decision }: Pick<ReportView, 'decision'>) =>
  decision === null ? (
    <Badge tone="main">{texts.reports.open}</Badge>
  ) : (
    <Badge tone={decision === 'suspended' ? 'wrong' : 'plain'}>
      {texts.reports.decisions[decision]}
    </Badge>
  )
