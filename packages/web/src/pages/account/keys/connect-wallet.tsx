import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../../api/account.ts'
import { Problem } from '../../../api/problem.ts'
import { Button } from '../../../design/button.tsx'
import { CopyButton } from '../../../design/copy-button.tsx'
import { Dialog } from '../../../design/dialog.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { ShownText } from '../../../design/shown-text.tsx'
import { useAction } from '../../../design/use-action.ts'
import { browserWallet, signWith } from './browser-wallet.ts'
import { connectWallet, walletMessage } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.wallets

type WalletSignature = { eth_address: string; signature: string }
type Props = { onConnected: () => void; onClose: () => void }

export function ConnectWallet({ onConnected, onClose }: Props) {
  const { data: account } = useQuery(accountQuery)
  const message = walletMessage(account?.user.id ?? '')
  const wallet = browserWallet()
  const connectMutation = useAction({
    mutationFn: async (sign: () => Promise<WalletSignature>) => {
      const walletSignature = await sign().catch(() => {
        throw new Problem(422, { error: texts.refused })
      })
      return connectWallet(walletSignature)
    },
    onSuccess: () => {
      onClose()
      onConnected()
    },
  })
  const { isPending, mutate } = connectMutation
  return (
    <Dialog title={texts.dialog} text={texts.why} onClose={onClose} isBusy={isPending}>
      {wallet ? (
        <Button isBusy={isPending} onClick={() => mutate(() => signWith(wallet, message))}>
          {texts.here}
        </Button>
      ) : null}
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          const [eth_address, signature] = [valueIn(form, 'address'), valueIn(form, 'signature')]
          mutate(async () => ({ eth_address, signature }))
        }}
      >
        <p className="text-soft">{texts.byHand}</p>
        <ShownText label={texts.message} text={message} />
        <div>
          <CopyButton text={message} label={texts.copy} />
        </div>
        <Field
          label={texts.address}
          name="address"
          required
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          label={texts.signature}
          name="signature"
          required
          autoComplete="off"
          spellCheck={false}
        />
        <ErrorOf thrown={connectMutation.error} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look={wallet ? 'second' : 'main'} isBusy={isPending}>
            {texts.action}
          </Button>
          <Button look="second" disabled={isPending} onClick={onClose}>
            {texts.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
