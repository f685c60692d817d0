import { useQuery } from '@tanstack/react-query'
import { continueOtherLogin, otherLoginQuery } from '../../api/other-login.ts'
import { Button } from '../../design/button.tsx'
import { ErrorOf } from '../../design/feedback.tsx'
import { useAction } from '../../design/use-action.ts'
import type { SignInForm } from './form-parts.tsx'
import { texts } from './texts.ts'

/** For a browser that is signed in where applications ask for an emoji id: one press is enough. */
export function OtherLogin({ onIn }: Pick<SignInForm, 'onIn'>) {
  const { data: name } = useQuery(otherLoginQuery)
  const enter = useAction({ mutationFn: continueOtherLogin, onSuccess: () => onIn('in') })
  if (!name) return null
  return (
    <div className="grid justify-items-start gap-3 rounded-card bg-tint p-4">
      <p className="wrap-anywhere">{texts.other.text(name)}</p>
      <Button isBusy={enter.isPending} onClick={() => enter.mutate()}>
        {texts.other.action}
      </Button>
      <ErrorOf thrown={enter.error} />
    </div>
  )
}
