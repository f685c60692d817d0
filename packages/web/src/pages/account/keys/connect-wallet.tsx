import { useState } from 'react'
import { Problem } from '../../../api/problem.ts'
import { Button } from '../../../design/button.tsx'
import { CopyButton } from '../../../design/copy-button.tsx'
import { Dialog } from '../../../design/dialog.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { ShownText } from '../../../design/shown-text.tsx'
import { useAction } from '../../../design/use-action.ts'
import { browserWallet, selectAddress, signWith, type Wallet } from './browser-wallet.ts'
import { connectWallet, createChallenge } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.wallets

type Challenge = { eth_address: string; message: string }
type Props = { onConnected: () => void; onClose: () => void }

export function ConnectWallet({ onConnected, onClose }: Props) {
  const wallet = browserWallet()
  const [challenge, setChallenge] = useState<Challenge>()
  const askAction = useAction({ mutationFn: createChallenge, onSuccess: setChallenge })
  const connectAction = useAction({
    mutationFn: async (connect: () => Promise<unknown>) => connect(),
    onSuccess: () => {
      onClose()
      onConnected()
    },
    onError: (error) => {
      if (error instanceof Problem && error.code === 'closed_challenge') setChallenge(undefined)
    },
  })
  const isBusy = askAction.isPending || connectAction.isPending
  return (
    <Dialog title={texts.dialog} text={texts.why} onClose={onClose} isBusy={isBusy}>
      {wallet ? (
        <Button
          isBusy={connectAction.isPending}
          onClick={() => connectAction.mutate(() => connectBrowserWallet(wallet))}
        >
          {texts.here}
        </Button>
      ) : null}
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          if (!challenge) return askAction.mutate(valueIn(form, 'address'))
          const { eth_address, message } = challenge
          const signature = valueIn(form, 'signature')
          connectAction.mutate(() => connectWallet({ eth_address, message, signature }))
        }}
      >
        <p className="text-soft">{texts.byHand}</p>
        <Field
          label={texts.address}
          name="address"
          required
          autoComplete="off"
          spellCheck={false}
          onChange={() => setChallenge(undefined)}
        />
        {challenge ? (
          <>
            <ShownText label={texts.message} text={challenge.message} />
            <div>
              <CopyButton text={challenge.message} label={texts.copy} />
            </div>
            <Field
              label={texts.signature}
              name="signature"
              required
              autoComplete="off"
              spellCheck={false}
            />
          </>
        ) : null}
        <ErrorOf
          thrown={challenge ? connectAction.error : (askAction.error ?? connectAction.error)}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look={wallet ? 'second' : 'main'} isBusy={isBusy}>
            {challenge ? texts.action : texts.ask}
          </Button>
          <Button look="second" disabled={isBusy} onClick={onClose}>
            {texts.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

async function connectBrowserWallet(wallet: Wallet) {
  const eth_address = await selectAddress(wallet).catch(refuse)
  const { message } = await createChallenge(eth_address)
  const signature = await signWith(wallet, eth_address, message).catch(refuse)
  return connectWallet({ eth_address, message, signature })
}

const refuse = () => {
  throw new Problem(422, { error: texts.refused })
}
