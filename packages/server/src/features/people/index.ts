import type { Parts } from '../../parts.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Directory } from '../directory/index.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import { createAccountExport } from './account-export/account-export.ts'
import { accountExportRoutes } from './account-export/routes.ts'
import { createProfile } from './profile/profile.ts'
import { profileRoutes } from './profile/routes.ts'
import { userRoutes } from './users/routes.ts'
import { createUsers } from './users/users.ts'

export type People = ReturnType<typeof createPeopleWing>['services']

/** Accounts together with the ids that they own: for operators, and for each person. */
export function createPeopleWing(parts: Parts & Operations & Identity & Directory) {
  const users = createUsers(parts)
  const profile = createProfile({ ...parts, users })
  const accountExport = createAccountExport(parts)
  return {
    services: { accountExport },
    routes: [
      mount(profileRoutes, { profile }),
      mount(accountExportRoutes, { accountExport }),
      mount(userRoutes, { users }),
    ],
  }
}
