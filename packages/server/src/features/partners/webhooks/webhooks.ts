import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  deleteEndpointsOf,
  rotateSecret,
} from './change-endpoints.ts'
import type { Deps, Options } from './deps.ts'
import { disableEndpointsOf } from './disable-endpoint.ts'
import { createLimits } from './limits.ts'
import {
  listAllEndpoints,
  listAnyDeliveries,
  showAnyEndpoint,
  stopEndpoint,
} from './oversee-endpoints.ts'
import { purgeDeliveries } from './purge-deliveries.ts'
import {
  listDeliveries,
  readBacklog,
  redeliver,
  replayEvents,
  sendTestEvent,
} from './read-deliveries.ts'
import { listEndpoints, showEndpoint } from './show-endpoint.ts'
import { startDispatcher } from './start-dispatcher.ts'

export { rewrapWebhooks } from './purge-deliveries.ts'

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
    purgeDeliveries,
    readBacklog,
    startDispatcher,
  })
}

export const webhookJobs = (webhooks: Webhooks): JobModule => ({
  tasks: { 'webhooks.purge': () => webhooks.purgeDeliveries() },
  schedules: [{ task: 'webhooks.purge', cron: '40 * * * *' }],
})
