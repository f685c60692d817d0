import { asProblem } from '../../api/problem.ts'
import { Button } from '../../design/button.tsx'
import { Notice } from '../../design/feedback.tsx'
import { clearSent, Field, valueIn } from '../../design/field.tsx'
import { texts } from './texts.ts'
import { useCode } from './use-checkout.ts'

export function CodeField({ hasCodes }: { hasCodes: boolean }) {
  const code = useCode()
  return (
    <form
      className="grid gap-3 border-t border-hair pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        const form = event.currentTarget
        const sent = new FormData(form)
        code.mutate(valueIn(form, 'promo_code'), { onSuccess: () => clearSent(form, sent) })
      }}
    >
      <div className="flex flex-wrap items-start gap-3">
        <Field
          className="min-w-32 flex-1"
          label={texts.codeLabel}
          name="promo_code"
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          problem={code.error ? asProblem(code.error).message : undefined}
        />
        <Button look="second" type="submit" isBusy={code.isPending} className="mt-7.5">
          {texts.codeUse}
        </Button>
      </div>
      {code.isSuccess && hasCodes ? <Notice>{texts.codeUsed}</Notice> : null}
    </form>
  )
}
