import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonLook } from '../../../design/button.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { texts as adminTexts } from '../texts.ts'
import { ChangeCode } from './change-code.tsx'
import { CodeFacts } from './code-facts.tsx'
import { CodeKeys } from './code-keys.tsx'
import { CodeUses } from './code-uses.tsx'
import { type Code, codeActions, codeQuery } from './queries.ts'
import { texts } from './texts.ts'

/** One code with its terms, keys and uses. */
export function CodePage({ id }: { id: string }) {
  const { data: code, error } = useQuery(codeQuery(id))
  const [isChanging, setChanging] = useState(false)
  if (!code) {
    return (
      <Section title={adminTexts.sections.codes}>
        {code === null ? <NotFoundNotice /> : error ? <ErrorOf thrown={error} /> : <Waiting />}
      </Section>
    )
  }
  if (isChanging) return <ChangeCode code={code} onClose={() => setChanging(false)} />
  return (
    <Section
      title={code.name}
      actions={code.deleted_at ? null : <Actions code={code} onChange={() => setChanging(true)} />}
    >
      <CodeFacts code={code} />
      {code.activator === 'SecretKey' ? <CodeKeys code={code} /> : null}
      <CodeUses code={code} />
    </Section>
  )
}

const Actions = ({ code: { id }, onChange }: { code: Code; onChange: () => void }) => (
  <>
    <Button look="second" onClick={onChange}>
      {texts.change}
    </Button>
    <AskButton
      {...texts.remove}
      look="danger"
      isDangerous
      asksReason
      run={(reason) => codeActions.remove(id, reason)}
    />
  </>
)

const NotFoundNotice = () => (
  <Card className="grid justify-items-start gap-4">
    <p>{texts.missing}</p>
    <Link to="/admin/codes" search={{}} className={buttonLook()}>
      {texts.back}
    </Link>
  </Card>
)
