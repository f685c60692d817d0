import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { findCard } from './read-cards.ts'
import * as customers from './repository.ts'

export async function setDefaultCard(deps: Deps, { user_id }: Principal, id: string) {
  const { db } = deps
  const card = await findCard(deps, user_id, id)
  await customers.setDefault(db, user_id, card.id)
  return { ...card, is_default: true }
}
