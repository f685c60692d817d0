import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { walletsQuery } from '../../../api/keys.ts'
import { queries } from '../../../api/queries.ts'
import { Button } from '../../../design/button.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Part } from '../../../design/part.tsx'
import { say } from '../../../design/status.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { accountTexts } from '../../../texts/en-account.ts'
import { ConnectWallet } from './connect-wallet.tsx'

const texts = accountTexts.keys.wallets

export function Wallets() {
  const { data, error } = useQuery(walletsQuery)
  const [isConnecting, setConnecting] = useState(false)
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
          {data.map(({ eth_address }) => (
            <li
              key={eth_address}
              className="rounded-field border border-hair px-4 py-3 font-mono text-sm wrap-anywhere"
            >
              {eth_address}
            </li>
          ))}
        </ul>
      ) : null}
      {isConnecting ? (
        <ConnectWallet
          onConnected={() => {
            say(texts.done)
            void queries.invalidateQueries({ queryKey: walletsQuery.queryKey })
          }}
          onClose={() => setConnecting(false)}
        />
      ) : null}
    </Part>
  )
}
