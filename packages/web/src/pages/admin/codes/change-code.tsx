import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Section } from '../../../design/section.tsx'
import { CodeForm } from './code-form.tsx'
import { changeOf, draftOf } from './draft.ts'
import { type Code, codeActions } from './queries.ts'
import { formTexts as texts } from './texts.ts'

export const ChangeCode = ({ code, onClose }: { code: Code; onClose: () => void }) => (
  <Section title={texts.changeTitle(code.name)}>
    <CodeForm
      start={draftOf(code)}
      isNew={false}
      action={texts.save}
      save={(draft, reason) => codeActions.change(code.id, { ...changeOf(draft), reason })}
      onSaved={async () => {
        await queries.invalidateQueries({ queryKey: ['codes'] })
        announce(texts.saved)
        onClose()
      }}
      onCancel={onClose}
    />
  </Section>
)
