import { passkeyTexts } from '../api/passkey-texts.ts'
import { canUsePasskeys, confirmByPasskey } from '../api/passkeys.ts'
import { session } from '../api/session.ts'
import { sendSmsCode } from '../api/sign-in.ts'
import { Button } from './button.tsx'
import { CodeForm } from './code-form.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorOf } from './feedback.tsx'
import { texts } from './texts.ts'
import { useAction } from './use-action.ts'

type Props = { provider: string; settle: (isGiven: boolean) => void }

export default function CodeDialog({ provider, settle }: Props) {
  return (
    <Dialog title={texts.code.title} text={texts.code.why} onClose={() => settle(false)}>
      <CodeForm
        provider={provider}
        give={session.giveCode}
        send={() => sendSmsCode()}
        onGiven={() => settle(true)}
      >
        <Button look="second" onClick={() => settle(false)}>
          {texts.code.cancel}
        </Button>
      </CodeForm>
      <ConfirmByPasskey onDone={() => settle(true)} />
    </Dialog>
  )
}

/** On this site a passkey counts like a code. */
function ConfirmByPasskey({ onDone }: { onDone: () => void }) {
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
