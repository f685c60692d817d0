import { createFence } from '../../src/platform/database/fence.ts'
import { connectToBest, hostsOf } from '../../src/platform/database/hosts.ts'
import { createLog } from '../../src/platform/log/log.ts'

/** The fence of a process that uses the database at `url`. */
export async function fenceOn(url: string) {
  const hosts = hostsOf(url)
  const first = await connectToBest(hosts, { connectionTimeoutMillis: 60_000 })
  await first.client.end()
  return createFence(hosts, first, createLog('silent'))
}
