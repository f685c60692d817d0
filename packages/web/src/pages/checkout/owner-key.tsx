import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pubkeysQuery } from '../../api/pubkeys.ts'
import { queries } from '../../api/query-client.ts'
import { announce } from '../../design/announcements.ts'
import { Button } from '../../design/button.tsx'
import { Alert } from '../../design/feedback.tsx'
import { Select } from '../../design/select.tsx'
import { useSessionDraft } from '../../design/use-session-draft.ts'
import { ProvePubkey } from '../account/keys/pubkey-dialogs.tsx'
import { ownerKeyDraft } from './queries.ts'
import { texts } from './texts.ts'

/** The key that will own the ids, if the account has several. An unproven one is proven here. */
export function OwnerKey() {
  const { data: keys = [] } = useQuery(pubkeysQuery)
  const [chosen, setChosen] = useSessionDraft(ownerKeyDraft, '')
  const [isProving, setProving] = useState(false)
  const key = keys.find(({ pubkey }) => pubkey === chosen) ?? keys[0]
  if (!key || keys.length < 2) return null
  return (
    <div className="grid gap-3 border-b border-hair pb-4">
      <Select
        label={texts.ownerKey}
        hint={texts.ownerKeyHint}
        value={key.pubkey}
        options={keys.map(({ pubkey, state }) => ({
          value: pubkey,
          text: `${pubkey.slice(0, 8)}…${pubkey.slice(-8)} (${texts.keyStates[state]})`,
        }))}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      {key.state === 'unproven' ? (
        <>
          <Alert>{texts.unprovenKey}</Alert>
          <Button look="second" onClick={() => setProving(true)}>
            {texts.proveKey}
          </Button>
        </>
      ) : null}
      {isProving ? (
        <ProvePubkey
          pubkey={key.pubkey}
          onProven={() => {
            announce(texts.keyProven)
            void queries.invalidateQueries({ queryKey: pubkeysQuery.queryKey })
          }}
          onClose={() => setProving(false)}
        />
      ) : null}
    </div>
  )
}
