import { randomBytes } from 'node:crypto'
import type { Accounts } from '../features/identity/accounts/accounts.ts'
import type { DemoSeed } from '../platform/demo/seed.ts'
import type { Tables } from '../tables.ts'

export const demoAdmin = 'admin@example.com'

/** The administrator of the demonstration; the password is shown once. */
export const adminSeed = (
  accounts: Accounts,
  announce: (line: string) => void,
): DemoSeed<Tables> => ({
  name: 'admin',
  async write(trx) {
    const password = randomBytes(12).toString('base64url')
    if (await accounts.createAdmin(trx, demoAdmin, password)) {
      announce(`Administrator: ${demoAdmin} with the password ${password} (shown once)`)
    }
  },
})
