import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Part } from '../../../design/part.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { ConnectWallet } from './connect-wallet.tsx'
import { disconnectWallet, walletsQuery } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.wallets
const refresh = () => void queries.invalidateQueries({ queryKey: walletsQuery.queryKey })

export function Wallets() {
  const { data, error } = useQuery(walletsQuery)
  const [isConnecting, setConnecting] = useState(false)
  const [leaving, setLeaving] = useState<string>()
  return (
    <Part
      title={texts.title}
      text={texts.text}
      actions={
        <Button look="second" onClick={() => setConnecting(true)}>
          {texts.connect}
        </Button>
      }
    >
      {error ? <ErrorOf thrown={error} /> : null}
      {data || error ? null : <Waiting />}
      {data?.length === 0 ? <p>{texts.none}</p> : null}
      {data && data.length > 0 ? (
        <ul aria-label={texts.caption} className="grid gap-2">
          {data.map(({ eth_address, proven }) => (
            <li
              key={eth_address}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-field border border-hair px-4 py-2"
            >
              <span className="grid">
                <span className="font-mono text-sm wrap-anywhere">{eth_address}</span>
                {proven ? null : <span className="text-sm text-soft">{texts.unproven}</span>}
              </span>
              <Button look="second" onClick={() => setLeaving(eth_address)}>
                {texts.disconnect}
                <span className="sr-only">: {eth_address}</span>
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      {isConnecting ? (
        <ConnectWallet
          onConnected={() => {
            announce(texts.done)
            refresh()
          }}
          onClose={() => setConnecting(false)}
        />
      ) : null}
      {leaving ? (
        <ConfirmDialog
          title={texts.confirm.title}
          text={
            <span className="grid gap-2">
              <span className="font-mono text-sm wrap-anywhere">{leaving}</span>
              <span>{texts.confirm.text}</span>
            </span>
          }
          action={texts.confirm.action}
          isDangerous
          run={() => disconnectWallet(leaving)}
          onDone={() => {
            announce(texts.confirm.done)
            refresh()
          }}
          onClose={() => setLeaving(undefined)}
        />
      ) : null}
    </Part>
  )
}
