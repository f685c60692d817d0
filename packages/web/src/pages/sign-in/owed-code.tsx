import { addresses } from '../../api/addresses.ts'
import { type PendingSignIn, session } from '../../api/session.ts'
import { giveOwedCode, sendSmsCode } from '../../api/sign-in.ts'
import { Button } from '../../design/button.tsx'
import { CodeForm } from '../../design/code-form.tsx'
import { ErrorOf } from '../../design/feedback.tsx'
import { useAction } from '../../design/use-action.ts'
import { texts } from './texts.ts'

type Props = { owing: PendingSignIn; setGiving: (isGiving: boolean) => void; onGiven: () => void }

/** Asks for the code of a pending sign-in; the visitor can start over. */
export function OwedCode({ owing, setGiving, onGiven }: Props) {
  const give = async (code: string) => {
    setGiving(true)
    await giveOwedCode(code).catch((error) => {
      setGiving(false)
      throw error
    })
  }
  const startOver = useAction({ mutationFn: session.startOver })
  return (
    <>
      {owing.name ? <p className="wrap-anywhere text-soft">{texts.owing(owing.name)}</p> : null}
      <CodeForm
        provider={owing.provider}
        give={give}
        send={() => sendSmsCode(owing)}
        onGiven={onGiven}
      >
        <Button look="second" isBusy={startOver.isPending} onClick={() => startOver.mutate()}>
          {texts.startOver}
        </Button>
      </CodeForm>
      <ErrorOf thrown={startOver.error} />
      <p>
        <a href={`${addresses.auth}/lost_factor`}>{texts.lostDevice}</a>
      </p>
    </>
  )
}
