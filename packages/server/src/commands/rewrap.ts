import { rewrapKeys } from '../features/identity/keys/keys.ts'
import { rewrapSecondFactors } from '../features/identity/second-factor/second-factor.ts'
import { rewrapLootboxes } from '../features/lootboxes/index.ts'
import { rewrapMessages } from '../features/operations/notifications/notifications.ts'
import { rewrapWebhooks } from '../features/partners/webhooks/webhooks.ts'
import { rewrapCodes } from '../features/shop/codes/codes.ts'
import { rewrapClaims } from '../features/shop/ledger/ledger.ts'
import { rewrapPayments } from '../features/shop/purchases/purchases.ts'
import { createSealer } from '../platform/crypto/seal.ts'
import { run, say } from './run.ts'
import { withDatabase } from './with-database.ts'

await run(async (config, log) => {
  if (!config.master_keys) {
    throw new Error('Set MASTER_KEY: the new key first, then the previous keys.')
  }
  const sealer = createSealer(config.master_keys)
  await withDatabase(config, log, async (db) => {
    say(`Private keys rewrapped: ${await rewrapKeys(db, sealer)}`)
    say(`Second factors rewrapped: ${await rewrapSecondFactors(db, sealer)}`)
    say(`Messages rewrapped: ${await rewrapMessages(db, sealer)}`)
    say(`Payments rewrapped: ${await rewrapPayments(db, sealer)}`)
    say(`Refund claims rewrapped: ${await rewrapClaims(db, sealer)}`)
    say(`Promo codes rewrapped: ${await rewrapCodes(db, sealer)}`)
    say(`Lootbox seeds rewrapped: ${await rewrapLootboxes(db, sealer)}`)
    say(`Webhook secrets rewrapped: ${await rewrapWebhooks(db, sealer)}`)
    say('The first key of MASTER_KEY now opens everything.')
  })
})
