import { canUsePasskeys, signInByPasskey } from '../../api/passkeys.ts'
import { Button } from '../../design/button.tsx'
import { ErrorOf } from '../../design/feedback.tsx'
import { useAction } from '../../design/use-action.ts'
import type { SignInForm } from './form-parts.tsx'
import { texts } from './texts.ts'

/** Signs in without a name or password; the browser knows which passkeys are for this site. */
export function PasskeyButton({ onIn }: Pick<SignInForm, 'onIn'>) {
  const signIn = useAction({ mutationFn: signInByPasskey, onSuccess: onIn })
  if (!canUsePasskeys()) return null
  return (
    <div className="grid gap-3">
      <Button look="second" isBusy={signIn.isPending} onClick={() => signIn.mutate()}>
        {texts.passkey}
      </Button>
      <ErrorOf thrown={signIn.error} />
    </div>
  )
}
