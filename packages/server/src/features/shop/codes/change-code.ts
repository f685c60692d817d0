import { randomInt } from 'node:crypto'
import { transact } from '../../../platform/database/database.ts'
import type { OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import type { Transaction } from '../../../tables.ts'
import {
  isAdmin,
  mayInOrganization,
  missingScope,
  type Principal,
} from '../../operations/access/access.ts'
import { assertOwnMoney, findAuthor, refuseTakenCode, type Scope, toRow } from './code-terms.ts'
import type { Deps } from './codes.ts'
import { countNewText } from './count-attempt.ts'
import { showCode } from './read-codes.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'
import type { CodeChange } from './schema.ts'
import { openCode } from './seal-code.ts'

/** Locks the code. Callers without access get the error for an unknown code. */
export async function loadCodeToChange(
  trx: Transaction,
  caller: Principal,
  id: string,
  scope: Scope,
) {
  const code = await codes.findToChange(trx, id)
  if (!code || code.deleted_at) throw rules.unknownCode()
  if (caller.scopes.has(scope)) return code
  const { organization_id: organization } = code
  if (organization && mayInOrganization(caller, organization, 'organizationCode:admin')) {
    return code
  }
  const mayKnow = isAdmin(caller) || caller.memberships.has(organization ?? '')
  throw mayKnow ? missingScope([scope]) : rules.unknownCode()
}

export async function changeCode(
  deps: Deps,
  caller: Principal,
  id: string,
  body: CodeChange,
  network: string,
) {
  const { db, audit } = deps
  const change = async (trx: Transaction) => {
    const code = openCode(deps, await loadCodeToChange(trx, caller, id, 'code:write'))
    const author = findAuthor(caller)
    const terms = rules.changeTerms(code, body, author)
    if (author === 'partner') await assertOwnMoney(deps, trx, terms, code.combinable)
    if (body.pattern) rules.assertFindable(terms, randomInt)
    const row = await toRow(deps, trx, id, terms)
    const changedCode = await codes.update(trx, id, row).catch(refuseTakenCode)
    const details = { code_id: id, ...rules.auditedTerms(terms), ...rules.why(body) }
    await audit.writeEntry(trx, 'code.changed', { actor_id: caller.user_id, details })
    return showCode(deps, trx, changedCode)
  }
  const work = () => transact(db, change)
  if (body.redemption_code === undefined) return work()
  const row = await codes.find(db, id)
  const code = row && openCode(deps, row)
  // The own text in another case tells nothing.
  if (code?.redemption_code?.toLowerCase() === body.redemption_code.toLowerCase()) return work()
  return countNewText(deps, caller, { network, organization_id: code?.organization_id }, work)
}

/** Carts with the code keep it; it cannot be used again. */
export async function removeCode(
  deps: Deps,
  caller: Principal,
  id: string,
  reasonPart: OptionalReasonBody,
) {
  const { db, now, audit } = deps
  return transact(db, async (trx) => {
    await loadCodeToChange(trx, caller, id, 'code:delete')
    const at = now()
    const removedCode = await codes.update(trx, id, { deleted_at: at, updated_at: at })
    const details = { code_id: id, ...rules.why(reasonPart) }
    await audit.writeEntry(trx, 'code.deleted', { actor_id: caller.user_id, details })
    return showCode(deps, trx, removedCode)
  })
}
