import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const deploy = new URL('../../../deploy/', import.meta.url)
const shipped = (path: string) => readFileSync(new URL(path, deploy), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'emojid-check-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Case = {
  name: string
  /** Replaced texts of the shipped files. */
  changes: [string, string][]
  version?: string
  /** The output of `patronictl show-config`. */
  live?: string
  says: string
}

const service = `DATABASE_URL=postgres://emojid:secret@127.0.0.1:5000/emojid
REPLICA_MAX_BEHIND_SECONDS=30
`

function check({ changes, version = '3.0.2', live = '' }: Omit<Case, 'name' | 'says'>) {
  const values: Record<string, string> = { WATCHDOG: 'required' }
  const files = {
    'config.yml': shipped('cluster/patroni.yml').replaceAll(
      /\$\{(\w+)\}/g,
      (_, name) => values[name] ?? 'secret',
    ),
    'haproxy.cfg': shipped('cluster/haproxy.cfg'),
    'common.env': service,
    'live.yml': live,
  }
  for (const [from] of changes) expect(Object.values(files).join('')).toContain(from)
  for (const [name, text] of Object.entries(files)) {
    const changed = changes.reduce((result, [from, to]) => result.replaceAll(from, to), text)
    writeFileSync(join(folder, name), changed)
  }
  const script = new URL('cluster/check.sh', deploy).pathname
  const paths = Object.keys(files).map((name) => join(folder, name))
  const { status, stdout, stderr } = spawnSync('sh', [script, ...paths], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], PATRONI_VERSION: version },
  })
  return { status, said: stdout + stderr }
}

const refused: Case[] = [
  {
    name: 'Patroni 3.0.2 with etcd3',
    changes: [['\netcd:', '\netcd3:']],
    says: 'Use “etcd:” with “etcd --enable-v2”, or Patroni 3.0.3 or later',
  },
  {
    name: 'a ttl below loop_wait + 2 × retry_timeout',
    changes: [['ttl: 20', 'ttl: 12']],
    says: 'set ttl to at least loop_wait + 2 × retry_timeout = ',
  },
  {
    name: 'a ttl that was lowered after the start',
    changes: [],
    live: 'loop_wait: 3\nretry_timeout: 5\nttl: 10\n',
    says: 'set ttl to at least loop_wait + 2 × retry_timeout = 13 s',
  },
  {
    name: 'an HAProxy that detects a lost machine too late',
    changes: [['inter 1s fall 2', 'inter 3s fall 4']],
    says: 'HAProxy detects a lost machine after 18000 ms',
  },
  {
    name: 'an HAProxy without a limit for its checks',
    changes: [['    timeout check 1500ms\n', '']],
    says: 'Copy both from deploy/cluster/haproxy.cfg',
  },
  {
    name: 'an HAProxy that keeps connections to a lost primary',
    changes: [[' on-marked-down shutdown-sessions', '']],
    says: 'Add “on-marked-down shutdown-sessions”',
  },
  {
    name: 'a standby that is replaced after the service gives a commit up',
    changes: [],
    live: 'loop_wait: 10\nretry_timeout: 5\nttl: 30\n',
    says: 'Lower them, and keep wal_sender_timeout above 0',
  },
  {
    name: 'asynchronous replication',
    changes: [['synchronous_mode: true', 'synchronous_mode: false']],
    says: 'Set both to true',
  },
  {
    name: 'synchronous replication that is not strict',
    changes: [['    synchronous_mode_strict: true\n', '']],
    says: 'Set both to true',
  },
  {
    name: 'a PgBouncer behind HAProxy',
    changes: [[':5432', ':6432']],
    says: 'Connect through HAProxy only',
  },
  {
    name: 'a password that was not set',
    changes: [['password: secret', 'password: change-me']],
    says: 'Set every password',
  },
]

const accepted: Case[] = [
  { name: 'the shipped files', changes: [], says: 'The cluster is safe as configured' },
  {
    name: 'etcd3 with Patroni 3.0.3',
    changes: [['\netcd:', '\netcd3:']],
    version: '3.0.3',
    says: 'The cluster is safe as configured',
  },
  {
    name: 'etcd3 with Patroni 4.0.10',
    changes: [['\netcd:', '\netcd3:']],
    version: '4.0.10',
    says: 'The cluster is safe as configured',
  },
  {
    name: 'a machine without a watchdog, with a warning',
    changes: [['mode: required', 'mode: off']],
    says: 'WARNING: The watchdog is not required',
  },
  {
    name: 'lookups that end before a failover, with a warning',
    changes: [['REPLICA_MAX_BEHIND_SECONDS=30', 'REPLICA_MAX_BEHIND_SECONDS=5']],
    says: 'WARNING: Lookups stop 5 s after a primary is lost',
  },
]

describe('the check of a cluster', () => {
  it('uses the limit of the service for a commit', () => {
    const pool = new URL('../src/platform/database/pool.ts', import.meta.url)
    const limit = /commitLimitMs = (\d+)_000/.exec(readFileSync(pool, 'utf8'))?.[1]

    expect(shipped('cluster/check.sh')).toContain(`commit_limit=${limit}\n`)
  })

  it.each(refused)('refuses $name and says what to change', ({ says, ...change }) => {
    expect(check(change)).toEqual({ status: 1, said: expect.stringContaining(says) })
  })

  it.each(accepted)('accepts $name', ({ says, ...change }) => {
    expect(check(change)).toEqual({ status: 0, said: expect.stringContaining(says) })
  })
})
