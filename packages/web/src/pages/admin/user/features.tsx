import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../../design/badge.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { TextArea } from '../../../design/text-area.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { Panel } from '../parts/panel.tsx'
import { allFeaturesQuery, userActions, userFeaturesQuery } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.features

export function FeaturesPanel({ id }: { id: string }) {
  const { data, error } = useQuery(userFeaturesQuery(id))
  const codes = data?.map(({ code }) => code)
  return (
    <Panel
      title={texts.title}
      text={texts.text}
      actions={codes ? <ChangeFeatures id={id} codes={codes} /> : null}
    >
      <ErrorOf thrown={error} />
      {codes ? <FeatureList codes={codes} /> : error ? null : <Waiting />}
    </Panel>
  )
}

const FeatureList = ({ codes }: { codes: string[] }) =>
  codes.length === 0 ? (
    <p className="text-soft">{texts.none}</p>
  ) : (
    <ul className="flex flex-wrap gap-2">
      {codes.map((code) => (
        <li key={code}>
          <Badge>{code}</Badge>
        </li>
      ))}
    </ul>
  )

function ChangeFeatures({ id, codes }: { id: string; codes: string[] }) {
  const { data: all = [] } = useQuery(allFeaturesQuery)
  const [chosenCodes, setChosenCodes] = useState<ReadonlySet<string>>(new Set(codes))
  const [others, setOthers] = useState('')
  const features = [...new Set([...all.map(({ code }) => code), ...codes])].sort()
  const toggle = (code: string, isOn: boolean) =>
    setChosenCodes(
      new Set(isOn ? [...chosenCodes, code] : [...chosenCodes].filter((one) => one !== code)),
    )
  return (
    <AskButton
      label={texts.label}
      title={texts.dialog}
      text={texts.dialogText}
      action={texts.action}
      done={texts.done}
      onOpen={() => {
        setChosenCodes(new Set(codes))
        setOthers('')
      }}
      asksReason
      run={(reason) => userActions(id).setFeatures([...chosenCodes, ...namesIn(others)], reason)}
    >
      {features.map((code) => (
        <Checkbox
          key={code}
          label={code}
          checked={chosenCodes.has(code)}
          onChange={({ currentTarget }) => toggle(code, currentTarget.checked)}
        />
      ))}
      <TextArea
        label={texts.other}
        hint={texts.otherHint}
        rows={2}
        value={others}
        onChange={({ currentTarget }) => setOthers(currentTarget.value)}
      />
    </AskButton>
  )
}

const namesIn = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '')
