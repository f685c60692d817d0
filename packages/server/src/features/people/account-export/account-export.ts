import { bindUseCases } from '../../../platform/bind.ts'
import { createBudget } from '../../../platform/http/limits.ts'
import type { Log } from '../../../platform/log/log.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Database } from '../../../tables.ts'
import { InvalidTokenError, type Principal } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import * as exports from './repository.ts'

export type Options = { db: Database; audit: Audit; log: Log; now: () => Date }

/** Reads a part that is not in the database, or sealed there. */
export type ReadPart = (caller: Principal) => Promise<readonly object[]>

type Deps = Options & { limits: Limits; remoteParts: Map<string, ReadPart> }

type Limits = ReturnType<typeof createLimits>

/** An account with a hundred thousand ids has an export of a hundred megabytes. */
const byAccount = { each: { atOnce: 3, perSecond: 1 / 600 } }
const byNetwork = {
  each: { atOnce: 20, perSecond: 1 / 60 },
  all: { atOnce: 200, perSecond: 1 },
}

const createLimits = () => ({
  byAccount: createBudget('exports of an account', byAccount),
  byNetwork: createBudget('exports', byNetwork),
})

export type AccountExporter = ReturnType<typeof createAccountExport>

/** The own data of an account as a download. */
export function createAccountExport(options: Options) {
  const remoteParts = new Map<string, ReadPart>()
  const deps: Deps = { ...options, limits: createLimits(), remoteParts }
  return {
    ...bindUseCases(deps, { exportAccount }),
    /** Adds a part that another service stores. The export names it as incomplete if that fails. */
    addRemotePart: (name: string, read: ReadPart) => void remoteParts.set(name, read),
  }
}

/** The own data of an account as JSON text, piece by piece. */
async function exportAccount(deps: Deps, caller: Principal) {
  const { audit, db, limits, now } = deps
  const { user_id } = caller
  limits.byNetwork.assertLeft(currentNetwork())
  limits.byAccount.spend(user_id, 1)
  limits.byNetwork.take(currentNetwork(), 1)
  const account = await exports.findAccount(db, user_id)
  if (!account || account.epoch !== caller.epoch) throw new InvalidTokenError()
  await audit.writeEntry(db, 'account.exported', { actor_id: user_id })
  const at = now()
  return { file: fileName(at), pieces: writePieces(deps, caller, at, account.row) }
}

const fileName = (at: Date): string => `emoji-id-account-${at.toISOString().slice(0, 10)}.json`

const formatVersion = 1

/** Entries of one part; the keys of all of them are in memory. */
const entriesAtMost = 100_000

async function* writePieces(deps: Deps, caller: Principal, at: Date, account: string) {
  const head = { format: formatVersion, exported_at: at.toISOString() }
  yield `${JSON.stringify(head).slice(0, -1)},"account":${account}`
  const incomplete: string[] = []
  for (const [name, part] of Object.entries(exports.parts)) {
    const keys = await exports.findKeys(deps.db, part, caller.user_id, entriesAtMost + 1)
    if (keys.length > entriesAtMost) incomplete.push(name)
    yield `,\n${JSON.stringify(name)}:[`
    let separator = '\n'
    for (const batch of inBatches(keys.slice(0, entriesAtMost), part.batch ?? exports.usualBatch)) {
      await assertStillIn(deps, caller)
      const rows = await exports.findRows(deps.db, part, caller.user_id, batch)
      if (rows.length > 0) yield `${separator}${rows.join(',\n')}`
      if (rows.length > 0) separator = ',\n'
    }
    yield ']'
  }
  for (const [name, read] of deps.remoteParts) {
    await assertStillIn(deps, caller)
    const entries = await read(caller).catch((error: unknown) => {
      deps.log.warn({ err: error, part: name }, 'A part of an account export could not be read')
      incomplete.push(name)
      return []
    })
    yield `,\n${JSON.stringify(name)}:${JSON.stringify(entries)}`
  }
  yield `,\n"incomplete_parts":${JSON.stringify(incomplete)}}\n`
}

function* inBatches<Item>(items: readonly Item[], size: number) {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}

/** A long export ends when the access of the caller is revoked. */
async function assertStillIn({ db }: Deps, { user_id, epoch }: Principal): Promise<void> {
  const current = await exports.findEpoch(db, user_id)
  if (current?.epoch !== epoch) throw new InvalidTokenError()
}
