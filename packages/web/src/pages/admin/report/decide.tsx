import { useState } from 'react'
import { Checkbox } from '../../../design/choice.tsx'
import { optionsOf, Select } from '../../../design/select.tsx'
import { TextArea } from '../../../design/text-area.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { texts as adminTexts } from '../texts.ts'
import { decideReport, type ReportFacts, type Verdict } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.decide
const decisions: readonly Verdict['decision'][] = ['no_action', 'suspended', 'other']
const options = optionsOf(decisions, adminTexts.reports.decisions)

/** Records the decision about one report, or about all open ones of the id. */
export function ReportDecision({ report }: { report: ReportFacts }) {
  const [decision, setDecision] = useState<Verdict['decision']>('no_action')
  const [note, setNote] = useState('')
  const [isForAll, setForAll] = useState(false)
  if (report.decision !== null) return null
  const { is_registered, suspended } = report.reported_id
  const isSuspending = decision === 'suspended' && is_registered && !suspended
  const sends = {
    decision,
    every_report: isForAll,
    suspend: isSuspending,
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  }
  return (
    <div>
      <AskButton
        label={texts.label}
        title={texts.title}
        text={texts.text}
        action={isSuspending ? texts.suspendAction : texts.action}
        done={isSuspending ? texts.suspendDone : texts.done}
        look="main"
        asksReason
        onOpen={() => {
          setDecision('no_action')
          setNote('')
          setForAll(report.open_reports > 1)
        }}
        sends={sends}
        run={(reason, key) => decideReport(report.id, key, { ...sends, reason })}
      >
        <Select
          label={texts.decision}
          options={options}
          value={decision}
          onChange={({ currentTarget: { value } }) =>
            setDecision(decisions.find((one) => one === value) ?? 'no_action')
          }
        />
        {isSuspending ? <p className="text-soft">{texts.suspends}</p> : null}
        <TextArea
          label={texts.note}
          hint={texts.noteHint}
          required={decision === 'other'}
          minLength={3}
          maxLength={1_000}
          value={note}
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
        {report.open_reports > 1 ? (
          <Checkbox
            label={texts.every(report.open_reports)}
            checked={isForAll}
            onChange={({ currentTarget: { checked } }) => setForAll(checked)}
          />
        ) : null}
      </AskButton>
    </div>
  )
}
