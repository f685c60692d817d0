import { Dialog } from '@base-ui/react/dialog'
import { useEffect, useState } from 'react'
import { session } from '../api/session.ts'
import { sendSmsCode } from '../api/sign-in.ts'
import { texts } from '../texts/en.ts'
import { Button } from './button.tsx'
import { CodeForm } from './code-form.tsx'

type Props = { provider: string; settle: (isGiven: boolean) => void }

/** The dialog is gone as soon as it is answered: where the keyboard was, it is put back by hand. */
function useFocusKept(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // Only after the rest of the page can be reached again.
      setTimeout(() => before instanceof HTMLElement && before.focus())
    },
    [before],
  )
}

export default function CodeDialog({ provider, settle }: Props) {
  useFocusKept()
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || settle(false)}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 bg-black/50" />
        <Dialog.Popup
          finalFocus={false}
          className="fixed top-1/2 left-1/2 grid max-h-[90vh] w-[min(28rem,calc(100vw-2rem))] -translate-1/2 gap-4 overflow-auto rounded-card border border-hair bg-card p-6 text-ink shadow-xl"
        >
          <Dialog.Title className="text-xl font-bold tracking-tight">
            {texts.code.title}
          </Dialog.Title>
          <Dialog.Description className="text-soft">{texts.code.why}</Dialog.Description>
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
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
