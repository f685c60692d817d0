import { createHmac } from 'node:crypto'
import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Database } from '../../../tables.ts'
import type { Code } from './repository.ts'
import * as codes from './repository.ts'

type Keys = { sealer: Sealer }
type SealedText = Pick<Code, 'id' | 'sealed_code'>

/** The columns for the text of a code: a copy of the database without keys reveals no text. */
export function sealText({ sealer }: Keys, id: string, text: string | null) {
  if (text === null) return { code_hmac: null, sealed_code: null }
  const [code_hmac = null] = hmacsOf({ sealer }, text)
  return { code_hmac, sealed_code: sealer.seal(text, sealContext(id)) }
}

/** The code with its text; null if a signature activates it. */
export function openCode<Row extends SealedText>({ sealer }: Keys, code: Row) {
  const { id, sealed_code } = code
  const redemption_code = sealed_code && sealer.open(sealed_code, sealContext(id)).toString()
  return { ...code, redemption_code }
}

/** Texts ignore case. Until a rotation is complete, codes have hashes under several master keys. */
export const hmacsOf = ({ sealer }: Keys, text: string): Buffer[] =>
  sealer
    .deriveAll('promo codes')
    .map((key) => createHmac('sha256', key).update(text.toLowerCase()).digest())

/** Rewraps the texts and hashes with the current master key; returns how many. */
export async function rewrapCodes(db: Database, sealer: Sealer): Promise<number> {
  let count = 0
  for (const code of await codes.findSealed(db)) {
    if (sealer.rewrap(code.sealed_code ?? '', sealContext(code.id)) === code.sealed_code) continue
    const { redemption_code } = openCode({ sealer }, code)
    await codes.replaceText(db, code.id, sealText({ sealer }, code.id, redemption_code))
    count++
  }
  return count
}

/** Binds a sealed text to its row. */
const sealContext = (id: string): string => `promo code ${id}`
