import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * The account that runs PostgreSQL. PostgreSQL refuses to run as root, so root uses a separate
 * account.
 */
export type Account = { uid: number; gid: number }

const name = 'emojid-postgres'

export function databaseAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const account = findAccount()
  if (account) return account
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir=/nonexistent',
    '--shell=/usr/sbin/nologin',
    name,
  ])
  const createdAccount = findAccount()
  if (createdAccount) return createdAccount
  throw new Error(
    `PostgreSQL does not run as root, and the account ${name} could not be created. ` +
      'Start the service as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
  )
}

function findAccount(): Account | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}
