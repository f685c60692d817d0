import { randomInt, randomUUID } from 'node:crypto'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import {
  assertMayManage,
  assertOwnMoney,
  findAuthor,
  refuseTakenCode,
  toRow,
} from './code-terms.ts'
import type { Deps } from './codes.ts'
import { countNewText } from './count-attempt.ts'
import { showCode } from './read-codes.ts'
import type { Code } from './repository.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'
import type { NewCode } from './schema.ts'

export async function insertCode(
  deps: Deps,
  trx: Transaction,
  body: NewCode,
  author: rules.Author = 'operator',
): Promise<Code> {
  const terms = rules.readTerms(body)
  terms.limited_to_fee = author === 'partner'
  rules.assertFindable(terms, randomInt)
  const id = randomUUID()
  const row = await toRow(deps, trx, id, terms)
  return codes
    .insert(trx, { ...row, id, created_at: row.updated_at, deleted_at: null })
    .catch(refuseTakenCode)
}

export function createCode(deps: Deps, caller: Principal, body: NewCode, network: string) {
  const { db, organizations, audit } = deps
  const { organization_id } = body
  assertMayManage(deps, caller, organization_id, 'code:write')
  const create = async (trx: Transaction) => {
    if (organization_id) await organizations.loadOrganizationToChange(trx, organization_id)
    const author = findAuthor(caller)
    if (author === 'partner') await assertOwnMoney(deps, trx, rules.readTerms(body), false)
    const code = await insertCode(deps, trx, body, author)
    const { limited_to_fee } = code
    const details = {
      code_id: code.id,
      ...rules.auditedTerms(rules.readTerms(body)),
      limited_to_fee,
      ...rules.why(body),
    }
    await audit.writeEntry(trx, 'code.created', { actor_id: caller.user_id, details })
    return showCode(deps, trx, code)
  }
  const work = () => transact(db, create)
  if (body.redemption_code === undefined) return work()
  return countNewText(deps, caller, { network, organization_id }, work)
}
