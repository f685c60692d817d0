import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../../api/problem.ts'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { CopyButton } from '../../../design/copy-button.tsx'
import { ConfirmDialog, Dialog } from '../../../design/dialog.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { Part } from '../../../design/section.tsx'
import { ShownText } from '../../../design/shown-text.tsx'
import { useAction } from '../../../design/use-action.ts'
import { Waiting } from '../../../design/waiting.tsx'
import { connectWallet, createChallenge, disconnectWallet, walletsQuery } from './queries.ts'
import { texts } from './texts.ts'

const walletsTexts = texts.wallets
const refresh = () => void queries.invalidateQueries({ queryKey: walletsQuery.queryKey })

export function Wallets() {
  const { data, error } = useQuery(walletsQuery)
  const [isConnecting, setConnecting] = useState(false)
  const [leaving, setLeaving] = useState<string>()
  return (
    <Part
      title={walletsTexts.title}
      text={walletsTexts.text}
      actions={
        <Button look="second" onClick={() => setConnecting(true)}>
          {walletsTexts.connect}
        </Button>
      }
    >
      {error ? <ErrorOf thrown={error} /> : null}
      {data || error ? null : <Waiting />}
      {data?.length === 0 ? <p>{walletsTexts.none}</p> : null}
      {data && data.length > 0 ? (
        <ul aria-label={walletsTexts.caption} className="grid gap-2">
          {data.map(({ eth_address, proven }) => (
            <li
              key={eth_address}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-field border border-hair px-4 py-2"
            >
              <span className="grid">
                <span className="font-mono text-sm wrap-anywhere">{eth_address}</span>
                {proven ? null : <span className="text-sm text-soft">{walletsTexts.unproven}</span>}
              </span>
              <Button look="second" onClick={() => setLeaving(eth_address)}>
                {walletsTexts.disconnect}
                <span className="sr-only">: {eth_address}</span>
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      {isConnecting ? (
        <ConnectWallet
          onConnected={() => {
            announce(walletsTexts.done)
            refresh()
          }}
          onClose={() => setConnecting(false)}
        />
      ) : null}
      {leaving ? (
        <ConfirmDialog
          title={walletsTexts.confirm.title}
          text={
            <span className="grid gap-2">
              <span className="font-mono text-sm wrap-anywhere">{leaving}</span>
              <span>{walletsTexts.confirm.text}</span>
            </span>
          }
          action={walletsTexts.confirm.action}
          isDangerous
          run={() => disconnectWallet(leaving)}
          onDone={() => {
            announce(walletsTexts.confirm.done)
            refresh()
          }}
          onClose={() => setLeaving(undefined)}
        />
      ) : null}
    </Part>
  )
}

type Challenge = { eth_address: string; message: string }
type Props = { onConnected: () => void; onClose: () => void }

function ConnectWallet({ onConnected, onClose }: Props) {
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
    <Dialog title={walletsTexts.dialog} text={walletsTexts.why} onClose={onClose} isBusy={isBusy}>
      {wallet ? (
        <Button
          isBusy={connectAction.isPending}
          onClick={() => connectAction.mutate(() => connectBrowserWallet(wallet))}
        >
          {walletsTexts.here}
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
        <p className="text-soft">{walletsTexts.byHand}</p>
        <Field
          label={walletsTexts.address}
          name="address"
          required
          autoComplete="off"
          spellCheck={false}
          onChange={() => setChallenge(undefined)}
        />
        {challenge ? (
          <>
            <ShownText label={walletsTexts.message} text={challenge.message} />
            <div>
              <CopyButton text={challenge.message} label={walletsTexts.copy} />
            </div>
            <Field
              label={walletsTexts.signature}
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
            {challenge ? walletsTexts.action : walletsTexts.ask}
          </Button>
          <Button look="second" disabled={isBusy} onClick={onClose}>
            {walletsTexts.cancel}
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
  throw new Problem(422, { error: walletsTexts.refused })
}

/** The provider interface of a browser wallet (EIP-1193). */
type Wallet = { request: (call: { method: string; params?: unknown[] }) => Promise<unknown> }

const browserWallet = (): Wallet | undefined => (globalThis as { ethereum?: Wallet }).ethereum

const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** The address that the user selects in the wallet. */
async function selectAddress(wallet: Wallet): Promise<string> {
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  const [eth_address] = accounts as string[]
  if (!eth_address) throw new Error('The wallet has no address')
  return eth_address
}

async function signWith(wallet: Wallet, eth_address: string, message: string) {
  const params = [hexOf(message), eth_address]
  return String(await wallet.request({ method: 'personal_sign', params }))
}
