import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { DatabaseMonitor } from '../../../platform/database/monitor.ts'
import { createBudget } from '../../../platform/http/limits.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Poster } from '../../../platform/outside/post-body.ts'
import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Events } from '../../operations/events/events.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  deleteEndpointsOf,
  rotateSecret,
} from './change-endpoints.ts'
import { disableEndpointsOf } from './disable-endpoint.ts'
import {
  listAllEndpoints,
  listAnyDeliveries,
  showAnyEndpoint,
  stopEndpoint,
} from './oversee-endpoints.ts'
import {
  listDeliveries,
  readBacklog,
  redeliver,
  replayEvents,
  sendTestEvent,
} from './read-deliveries.ts'
import { exportEndpoints, listEndpoints, showEndpoint } from './show-endpoint.ts'
import { startDispatcher } from './start-dispatcher.ts'

export { parkDeliveries, releaseDeliveries } from './park-deliveries.ts'
export { purgeDeliveries, rewrapWebhooks } from './purge-deliveries.ts'

export type Options = {
  db: Database
  monitor: DatabaseMonitor
  sealer: Sealer
  accounts: Accounts
  organizations: Organizations
  audit: Audit
  events: Events
  poster: Poster
  /** In the demonstration. */
  allowsHttp: boolean
  now: () => Date
  log: Log
}

export type Deps = Options & { limits: Limits }

type Limits = ReturnType<typeof createLimits>

/** Per account: a replay must not flood a host that the account does not own. */
const replayedEvents = { each: { atOnce: 10_000, perSecond: 5 } }

/** Accounts are free to create, so those of one network share a limit. */
const replayedInNetwork = { each: { atOnce: 20_000, perSecond: 10 } }

/** New addresses, test events and redeliveries per network: accounts are free to create. */
const requests = { each: { atOnce: 120, perSecond: 1 } }

const createLimits = () => ({
  replayedEvents: createBudget('replayed events', replayedEvents),
  replayedInNetwork: createBudget('replayed events of a network', replayedInNetwork),
  requests: createBudget('webhooks', requests),
})

export type Webhooks = ReturnType<typeof createWebhooks>

/** Pushes events to addresses of accounts and organizations. */
export function createWebhooks(options: Options) {
  const deps: Deps = { ...options, limits: createLimits() }
  const { accounts } = deps
  const bind = bindTo(deps)
  accounts.whenDisowned(bind(deleteEndpointsOf))
  accounts.beforeDeletion(bind(deleteEndpointsOf))
  accounts.whenRevoked(bind(disableEndpointsOf))

  return bindUseCases(deps, {
    createEndpoint,
    listEndpoints,
    exportEndpoints,
    showEndpoint,
    changeEndpoint,
    rotateSecret,
    deleteEndpoint,
    sendTestEvent,
    listDeliveries,
    redeliver,
    replayEvents,
    listAllEndpoints,
    showAnyEndpoint,
    listAnyDeliveries,
    stopEndpoint,
    readBacklog,
    startDispatcher,
  })
}
