import { rewrapKeys } from '../features/identity/keys/index.ts'
import { rewrapSecondFactors } from '../features/identity/two-factor/index.ts'
import { rewrapLootboxes } from '../features/lootboxes/boxes/index.ts'
import { rewrapMessages } from '../features/operations/notifications/index.ts'
import { rewrapClaims } from '../features/shop/ledger/index.ts'
import { rewrapPayments } from '../features/shop/payments/index.ts'
import { createSealer } from '../platform/crypto/seal.ts'
import { connectTo } from '../platform/database/connect.ts'
import { findRunningPostgres } from '../platform/database/embedded/server.ts'
import { locateServer } from '../platform/database/open.ts'
import type { Tables } from '../tables.ts'
import { run, say } from './run.ts'

await run(async (config, log) => {
  if (!config.master_keys) {
    throw new Error('Give MASTER_KEY: the new key first, then those that sealed what is there.')
  }
  const sealer = createSealer(config.master_keys)
  const running = config.database_url ? undefined : await findRunningPostgres(config.data_dir)
  const server = running
    ? { connection: running, stop: async () => {} }
    : await locateServer({ ...config, log })
  const { db, close } = connectTo<Tables>(server.connection, log)
  try {
    say(`Private keys wrapped anew: ${await rewrapKeys(db, sealer)}`)
    say(`Second factors wrapped anew: ${await rewrapSecondFactors(db, sealer)}`)
    say(`Messages wrapped anew: ${await rewrapMessages(db, sealer)}`)
    say(`Payments wrapped anew: ${await rewrapPayments(db, sealer)}`)
    say(`Claims of refunds wrapped anew: ${await rewrapClaims(db, sealer)}`)
    say(`Seeds of lootboxes wrapped anew: ${await rewrapLootboxes(db, sealer)}`)
    say('Everything opens with the first key of MASTER_KEY now.')
  } finally {
    await close()
    await server.stop()
  }
})
