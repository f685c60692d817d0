import { canUsePasskeys, confirmByPasskey, passkeyTexts } from '../api/passkeys.ts'
import { Button } from './button.tsx'
import { ErrorOf } from './feedback.tsx'
import { useAction } from './use-action.ts'

/** On this site a passkey counts like a code, and like a sign-in. */
export function PasskeyProof({ onDone }: { onDone: () => void }) {
  const confirmMutation = useAction({ mutationFn: confirmByPasskey, onSuccess: onDone })
  if (!canUsePasskeys()) return null
  return (
    <div className="grid justify-items-start gap-3 border-t border-hair pt-3">
      <Button
        look="second"
        isBusy={confirmMutation.isPending}
        onClick={() => confirmMutation.mutate()}
      >
        {passkeyTexts.use}
      </Button>
      <ErrorOf thrown={confirmMutation.error} />
    </div>
  )
}
