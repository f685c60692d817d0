import { merkleRoot } from '@emojid/core'
import { addresses } from '../../../../api/addresses.ts'
import type { StoredRecord } from '../../../../api/records.ts'
import { buttonLook } from '../../../../design/button.tsx'
import { Card } from '../../../../design/feedback.tsx'
import { proofTexts as texts } from './texts.ts'

type Props = {
  id: string
  proof: {
    pubkey: string | null
    version: number
    merkle_root: string
    signature: { signer: string } | null
    records: StoredRecord[]
  }
}

/** The signature and fingerprint of the records. */
export function Proof({ id, proof }: Props) {
  const { records, merkle_root, version } = proof
  const isRight = merkleRoot(records.map(({ hash }) => hash)) === merkle_root
  return (
    <Card className="grid gap-4">
      <div>
        <h2>{texts.title}</h2>
        <p className="text-soft">{texts.text}</p>
      </div>
      <p>{signatureOf(proof)}</p>
      {records.length > 0 ? (
        <div className="grid gap-1">
          <p className={isRight ? '' : 'font-medium text-wrong'}>
            {isRight ? texts.fits : texts.broken}
          </p>
          <p className="text-sm text-soft">
            {texts.root}, {texts.version(version).toLowerCase()}
          </p>
          <p className="font-mono text-sm break-all">{merkle_root}</p>
        </div>
      ) : null}
      <div>
        <a
          href={`${addresses.api}/emoji_id/${encodeURIComponent(id)}/proof`}
          className={buttonLook('second')}
        >
          {texts.open}
        </a>
      </div>
    </Card>
  )
}

function signatureOf({ records, signature, pubkey }: Props['proof']): string {
  if (records.length === 0) return texts.noRecords
  if (!signature) return texts.unsigned
  return signature.signer === pubkey ? texts.signed(shortened(pubkey)) : texts.signedByOther
}

const shortened = (key: string): string => `${key.slice(0, 8)}…${key.slice(-8)}`
