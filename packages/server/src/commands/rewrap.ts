import { rewrapKeys } from '../features/identity/keys/index.ts'
import { rewrapSecondFactors } from '../features/identity/second-factor/index.ts'
import { rewrapLootboxes } from '../features/lootboxes/index.ts'
import { rewrapMessages } from '../features/operations/notifications/index.ts'
import { rewrapClaims } from '../features/shop/ledger/index.ts'
import { rewrapPayments } from '../features/shop/payments/index.ts'
import { createSealer } from '../platform/crypto/seal.ts'
import { run, say } from './run.ts'
import { withDatabase } from './with-database.ts'

await run(async (config, log) => {
  if (!config.master_keys) {
    throw new Error('Give MASTER_KEY: the new key first, then those that sealed what is there.')
  }
  const sealer = createSealer(config.master_keys)
  await withDatabase(config, log, async (db) => {
    say(`Private keys wrapped anew: ${await rewrapKeys(db, sealer)}`)
    say(`Second factors wrapped anew: ${await rewrapSecondFactors(db, sealer)}`)
    say(`Messages wrapped anew: ${await rewrapMessages(db, sealer)}`)
    say(`Payments wrapped anew: ${await rewrapPayments(db, sealer)}`)
    say(`Claims of refunds wrapped anew: ${await rewrapClaims(db, sealer)}`)
    say(`Seeds of lootboxes wrapped anew: ${await rewrapLootboxes(db, sealer)}`)
    say('Everything opens with the first key of MASTER_KEY now.')
  })
})
