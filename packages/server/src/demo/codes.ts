import type { Codes } from '../features/shop/codes/codes.ts'
import { generateKeyPair } from '../platform/crypto/ristretto.ts'
import type { DemoSeed } from '../platform/demo/seed.ts'
import type { Tables } from '../tables.ts'

/** A code that makes everything free, and one for random ids, whose key is shown once. */
export const codesSeed = (codes: Codes, announce: (line: string) => void): DemoSeed<Tables> => ({
  name: 'codes',
  async write(trx) {
    await codes.insertCode(trx, {
      name: 'Welcome',
      code_type: 'Discount',
      activator: 'RedemptionCode',
      redemption_code: 'WELCOME',
      discount_as_percentage: 100,
    })
    const surprise = await codes.insertCode(trx, {
      name: 'Surprise',
      code_type: 'RandomYat',
      activator: 'SecretKey',
      discount_as_percentage: 100,
      max_uses: 1_000,
      max_emojis_per_user: 1,
    })
    const { pubkey, private_key } = generateKeyPair()
    await codes.listPubkey(trx, surprise, pubkey)
    const secret = Buffer.from(private_key).toString('hex')
    announce(`Code for random ids: ${surprise.id}, key ${pubkey}, private ${secret} (shown once)`)
  },
})
