import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Section } from '../../../design/section.tsx'
import { CodeForm } from './code-form.tsx'
import { emptyDraft, newCodeOf } from './draft.ts'
import { codeActions } from './queries.ts'
import { formTexts as texts } from './texts.ts'

export function NewCodePage() {
  const navigate = useNavigate()
  // Idempotency keys: a double click creates one code; a rejected form can be sent again.
  const [keys] = useState(() => new Map<string, string>())
  const save = (body: ReturnType<typeof newCodeOf>) => {
    const wish = JSON.stringify(body)
    const key = keys.get(wish) ?? crypto.randomUUID()
    keys.set(wish, key)
    return codeActions.create(body, key)
  }
  const go = (search: { code?: string }) => navigate({ to: '/admin/codes', search })
  return (
    <Section title={texts.newTitle}>
      <CodeForm
        start={emptyDraft}
        isNew
        action={texts.create}
        save={(draft, reason) => save({ ...newCodeOf(draft), reason })}
        onSaved={({ id }) => {
          announce(texts.created)
          void queries.invalidateQueries({ queryKey: ['codes'] })
          go({ code: id })
        }}
        onCancel={() => go({})}
      />
    </Section>
  )
}
