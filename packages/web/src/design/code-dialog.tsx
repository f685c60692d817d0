import { session } from '../api/session.ts'
import { sendSmsCode } from '../api/sign-in.ts'
import { Button } from './button.tsx'
import { CodeForm } from './code-form.tsx'
import { Dialog } from './dialog.tsx'
import { PasskeyProof } from './passkey-proof.tsx'
import { texts } from './texts.ts'

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
      <PasskeyProof onDone={() => settle(true)} />
    </Dialog>
  )
}
