import { useQuery } from '@tanstack/react-query'
import { type InputHTMLAttributes, useState } from 'react'
import { accountQuery } from '../../../api/account.ts'
import { api, told } from '../../../api/client.ts'
import { proofDomain, proofMessage } from '../../../api/keys.ts'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { CopyButton } from '../../../design/copy-button.tsx'
import { Field } from '../../../design/field.tsx'
import { ShownText } from '../../../design/shown-text.tsx'
import { accountTexts } from '../../../texts/en-account.ts'

const texts = accountTexts.keys.pubkeys

type AddProps = { onAdded: (pubkey: string) => void; onClose: () => void }

export function AddPubkey({ onAdded, onClose }: AddProps) {
  const [pubkey, setPubkey] = useState('')
  return (
    <ConfirmDialog
      title={texts.addTitle}
      text={texts.addText}
      action={texts.addAction}
      run={() => {
        const path = { pubkey: pubkey.trim() }
        return told(api.POST('/pubkeys/{pubkey}', { params: { path } }))
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
      run={() =>
        told(
          api.POST('/pubkeys/{pubkey}/prove', {
            params: { path: { pubkey } },
            body: { nonce: nonce.trim(), signature: signature.trim() },
          }),
        )
      }
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
