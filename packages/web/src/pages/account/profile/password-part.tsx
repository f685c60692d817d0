import { asProblem } from '../../../api/problem.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { clearSent, Field, passwordIn } from '../../../design/field.tsx'
import { Part } from '../../../design/part.tsx'
import { useAction } from '../../../design/use-action.ts'
import { CurrentPassword, currentPasswordIn } from './current-password.tsx'
import { LinkNeeded } from './link-needed.tsx'
import { changeAccount } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.password

type Props = { user: { email: string | null }; hasPassword: boolean }

export function PasswordPart({ user, hasPassword }: Props) {
  const setting = useAction({ mutationFn: changeAccount, onSuccess: () => announce(texts.done) })
  return (
    <Part title={texts.title} text={hasPassword ? texts.has : texts.hasNot}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          const change = { password: passwordIn(form), ...currentPasswordIn(form) }
          const sent = new FormData(form)
          setting.mutate(change, { onSuccess: () => clearSent(form, sent) })
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {hasPassword ? <CurrentPassword thrown={setting.error} /> : null}
          <Field
            label={texts.label}
            hint={texts.hint}
            name="password"
            type="password"
            required
            minLength={8}
            autoComplete="new-password"
            problem={setting.error ? asProblem(setting.error).in('password') : undefined}
          />
        </div>
        <LinkNeeded
          thrown={setting.error}
          email={user.email}
          shownBy={['password', 'current_password']}
        />
        <div>
          <Button type="submit" look="second" isBusy={setting.isPending}>
            {hasPassword ? texts.change : texts.set}
          </Button>
        </div>
      </form>
    </Part>
  )
}
