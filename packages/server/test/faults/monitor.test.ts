import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  type DatabaseMonitor,
  monitorDatabase,
  usualTimes,
} from '../../src/platform/database/monitor.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { fenceOn } from '../support/fence.ts'
import { type DatabaseProxy, databaseProxy } from '../support/proxy.ts'

let database: TestDatabase
let proxy: DatabaseProxy
let monitor: DatabaseMonitor
let outages: number
beforeEach(async () => {
  database = await testDatabase()
  proxy = await databaseProxy(database.connection, database.url)
})
afterEach(async () => {
  await monitor.stop()
  await proxy.close()
  await database.drop()
})

async function startMonitor(times = usualTimes) {
  monitor = monitorDatabase(await fenceOn(proxy.url), createLog('silent'), times)
  monitor.whenAway(() => outages++)
  await expect.poll(monitor.isCurrent).toBe(true)
  // On a busy machine the first connection may take long enough for an outage.
  outages = 0
}

it('the monitor replaces a silent connection, notifies listeners of lost notices, and reports no outage', async () => {
  // On a busy machine a new connection may take long.
  await startMonitor({ ...usualTimes, silenceMs: 60_000 })
  let missedCount = 0
  monitor.listen(
    'changes',
    () => {},
    () => missedCount++,
  )
  await expect.poll(() => missedCount).toBe(1)
  proxy.silence()
  await expect.poll(() => missedCount).toBe(2)
  await expect.poll(monitor.isCurrent).toBe(true)
  await expect.poll(proxy.connections).toBe(1)
  expect(outages).toBe(0)
})

it('the monitor reports one outage, drops its connections, and recovers by itself', async () => {
  await startMonitor()
  proxy.freeze()
  await expect.poll(() => outages).toBe(1)
  expect([monitor.isAway(), monitor.isCurrent()]).toEqual([true, false])
  proxy.heal()
  await expect.poll(monitor.isAway).toBe(false)
  await expect.poll(proxy.connections).toBe(1)
  expect(outages).toBe(1)
})
