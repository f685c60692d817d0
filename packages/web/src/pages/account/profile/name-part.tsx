import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { Part } from '../../../design/part.tsx'
import { useAction } from '../../../design/use-action.ts'
import { useFormDraft } from '../../../design/use-session-draft.ts'
import { changeAccount } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.name

type Props = { user: { first_name: string | null; last_name: string | null } }

export function NamePart({ user }: Props) {
  const draft = useFormDraft('profile name', ['first', 'last'])
  const saving = useAction({
    mutationFn: changeAccount,
    onSuccess: () => {
      draft.clear()
      announce(texts.done)
    },
  })
  return (
    <Part title={texts.title} text={texts.text}>
      <form
        {...draft.form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          const [first_name, last_name] = [valueIn(form, 'first'), valueIn(form, 'last')]
          saving.mutate({ first_name, last_name })
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={texts.first}
            name="first"
            maxLength={100}
            autoComplete="given-name"
            defaultValue={user.first_name ?? ''}
          />
          <Field
            label={texts.last}
            name="last"
            maxLength={100}
            autoComplete="family-name"
            defaultValue={user.last_name ?? ''}
          />
        </div>
        <ErrorOf thrown={saving.error} />
        <div>
          <Button type="submit" look="second" isBusy={saving.isPending}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Part>
  )
}
