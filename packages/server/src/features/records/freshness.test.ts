import { parseEmojiId } from '@emojid/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestService, testService } from '../../../test/support/service.ts'
import { readConfig } from '../../config.ts'
import { createContainer } from '../../container.ts'
import { createEthereumSigner } from '../../platform/crypto/ethereum.ts'
import { createKeyRing } from '../../platform/crypto/key-ring.ts'
import { createSealer } from '../../platform/crypto/seal.ts'
import { transact } from '../../platform/database/database.ts'
import type { DatabaseMonitor } from '../../platform/database/monitor.ts'
import { createPool } from '../../platform/database/pool.ts'
import { preparing } from '../../platform/database/prepared.ts'
import { createLog } from '../../platform/log/log.ts'

const id = parseEmojiId('🔥🐍')
const log = createLog('silent')
let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.close())

/** Trusts its memory for ever and never hears of a change. */
const deaf = {
  isAway: () => false,
  isCurrent: () => true,
  listen: () => {},
} as unknown as DatabaseMonitor

it('a writer sees its own change at once, even if no notice ever comes', async () => {
  const { db, database } = service
  const pool = createPool({ connection: database?.connection ?? {}, size: 1, log, name: 'deaf' })
  const deafened = createContainer({
    ...{ config: readConfig({}), db, prepare: preparing(pool, deaf), monitor: deaf, log },
    gateways: {},
    sealer: createSealer([Buffer.alloc(32, 7)]),
    keyRing: await createKeyRing([Buffer.alloc(32, 8)]),
    mintSigner: createEthereumSigner(Buffer.alloc(32, 9)),
    now: () => new Date(),
  })
  const { records, edits } = deafened
  const seen = async () => (await records.records(id)).map(({ data }) => data)
  await seen()
  const changed = [{ tag: '0x5001', data: 'changed' }]
  await transact(db, (trx) => edits.write(trx, id, changed))
  const after = await seen()
  await deafened.stop()
  await pool.end()

  expect(after).toEqual(['changed'])
})
