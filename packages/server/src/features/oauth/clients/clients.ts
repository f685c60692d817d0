import { bindUseCases } from '../../../platform/bind.ts'
import type { Database, Transaction } from '../../../tables.ts'
import { authenticateClient } from './authenticate-client.ts'
import { changeClient } from './change-client.ts'
import { addSecret, removeSecret } from './client-secrets.ts'
import { createClient, insertClient } from './create-client.ts'
import { deleteClient } from './delete-client.ts'
import type { Deps } from './deps.ts'
import { listClients, loadClient } from './read-clients.ts'
import * as clients from './repository.ts'

export type { OauthClient } from './read-clients.ts'

export type Clients = ReturnType<typeof createClients>

/** OAuth clients: the applications that users sign in to with an emoji id. */
export function createClients(deps: Deps) {
  const { db } = deps

  return {
    ...bindUseCases(deps, {
      insertClient,
      createClient,
      listClients,
      loadClient,
      changeClient,
      deleteClient,
      addSecret,
      removeSecret,
      authenticateClient,
    }),
    findClient: (id: string, from: Database | Transaction = db) => clients.find(from, id),
  }
}
