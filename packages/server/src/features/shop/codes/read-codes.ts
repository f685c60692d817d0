import { toPage } from '../../../platform/http/api/paging.ts'
import type { Database, Transaction } from '../../../tables.ts'
import { unknownOrganization } from '../../identity/organizations/organizations.ts'
import type { Principal } from '../../operations/access/access.ts'
import { assertMayManage } from './code-terms.ts'
import type { Deps } from './codes.ts'
import type { Code } from './repository.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'
import type { CodeQuery, UseQuery } from './schema.ts'
import { hmacsOf, openCode } from './seal-code.ts'

export async function showCode(deps: Deps, trx: Transaction, code: Code) {
  const [view] = await showCodes(deps, [code], trx)
  return view as NonNullable<typeof view>
}

export const findCode = (from: Database, code_id: string) => codes.find(from, code_id)

export const countUses = (from: Database, code_id: string, user_id: string) =>
  codes.countOf(from, code_id, user_id)

export async function listCodes(deps: Deps, caller: Principal, query: CodeQuery) {
  const { db, organizations } = deps
  const { organization_id } = query
  assertMayManage(deps, caller, organization_id, 'code:read')
  const isKnown = !organization_id || (await organizations.findOrganization(db, organization_id))
  if (!isKnown) throw unknownOrganization()
  const text = rules.readTyped(query.q ?? '')
  const { rows, total } = await codes.findPage(db, query, text ? hmacsOf(deps, text) : [])
  return toPage(await showCodes(deps, rows), total, query)
}

/** Lists the users of a code and their ids. */
export async function listCodeUses({ db }: Deps, code_id: string, query: UseQuery) {
  if (!(await codes.find(db, code_id))) throw rules.unknownCode()
  const { rows, total } = await codes.findUses(db, code_id, query)
  return toPage(rows, total, query)
}

/** The text that the buyer typed, or the name of a code that is activated by a signature. */
export const nameOf = (deps: Deps, code: Parameters<typeof openCode>[1] & { name: string }) =>
  openCode(deps, code).redemption_code ?? code.name

async function showCodes(deps: Deps, rows: readonly Code[], from: Database = deps.db) {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const uses = new Map((await codes.countUses(from, ids)).map((use) => [use.code_id, use]))
  const allowedKeys = await codes.findPubkeys(from, ids)
  return rows.map((code) => rules.showCode(openCode(deps, code), uses.get(code.id), allowedKeys))
}
