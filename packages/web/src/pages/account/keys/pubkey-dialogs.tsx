import { proofDomain, proofMessage } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { type InputHTMLAttributes, useState } from 'react'
import { accountQuery } from '../../../api/account.ts'
import { Problem } from '../../../api/problem.ts'
import type { OwnPubkey } from '../../../api/pubkeys.ts'
import { CopyButton } from '../../../design/copy-button.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { Field } from '../../../design/field.tsx'
import { ShownText } from '../../../design/shown-text.tsx'
import { addPubkey, provePubkey } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.pubkeys

type AddProps = {
  own: readonly OwnPubkey[]
  onAdded: (pubkey: string) => void
  onClose: () => void
}

/** Rejects a key that is already proven or held by us. */
function assertNew(own: readonly OwnPubkey[], pubkey: string): void {
  const state = own.find((one) => one.pubkey === pubkey.toLowerCase())?.state
  if (state === 'kept_here' || state === 'proven')
    throw new Problem(422, { code: 'own_pubkey', error: texts.alreadySaved[state] })
}

export function AddPubkey({ own, onAdded, onClose }: AddProps) {
  const [pubkey, setPubkey] = useState('')
  return (
    <ConfirmDialog
      title={texts.addTitle}
      text={texts.addText}
      action={texts.addAction}
      run={async () => {
        assertNew(own, pubkey.trim())
        return addPubkey(pubkey.trim())
      }}
      onDone={onAdded}
      onClose={onClose}
    >
      <HexField label={texts.field} hint={texts.fieldHint} value={pubkey} onText={setPubkey} />
    </ConfirmDialog>
  )
}

type ProveProps = { pubkey: string; onProven: () => void; onClose: () => void }

export function ProvePubkey({ pubkey, onProven, onClose }: ProveProps) {
  const { data: account } = useQuery(accountQuery)
  const [nonce, setNonce] = useState('')
  const [signature, setSignature] = useState('')
  const message = proofMessage(pubkey, account?.user.id ?? '')
  return (
    <ConfirmDialog
      title={texts.proveTitle}
      text={texts.proveText}
      action={texts.proveAction}
      run={() => provePubkey(pubkey, { nonce: nonce.trim(), signature: signature.trim() })}
      onDone={onProven}
      onClose={onClose}
    >
      <ShownText label={texts.domain} text={proofDomain} />
      <ShownText label={texts.message} text={message} />
      <div>
        <CopyButton text={message} label={texts.copy} />
      </div>
      <HexField label={texts.nonce} hint={texts.hex} value={nonce} onText={setNonce} />
      <HexField label={texts.signature} hint={texts.hex} value={signature} onText={setSignature} />
    </ConfirmDialog>
  )
}

type HexProps = Pick<InputHTMLAttributes<HTMLInputElement>, 'value'> & {
  label: string
  hint: string
  onText: (text: string) => void
}

const HexField = ({ onText, ...rest }: HexProps) => (
  <Field
    {...rest}
    required
    pattern="\s*[0-9a-fA-F]{64}\s*"
    title={texts.hex}
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    onChange={({ currentTarget }) => onText(currentTarget.value)}
  />
)
