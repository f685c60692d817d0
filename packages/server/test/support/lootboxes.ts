import { contentsHash } from '@emojid/core'
import { sql } from 'kysely'
import type { LootboxView } from '../../src/features/lootboxes/index.ts'
import { createSealer } from '../../src/platform/crypto/seal.ts'
import { newId } from './ids.ts'
import { masterKey } from './own-keys.ts'
import type { Person } from './people.ts'
import type { TestService } from './service.ts'

/** A lootbox on the wire. */
export type Box = Omit<LootboxView, 'created_at'> & { created_at: string }
export type BoxType = NonNullable<Box['lootbox_type']>
export type BoxProof = {
  discarded_boxes: number | null
  boxes_of_type: Record<string, number> | null
  seed_hash: string
  contents_hash: string
  recipe: { algorithm: 1 | 2; config: BoxType['config']; emojis: string[] } | null
  seed: string | null
  rejected: { emoji_id: string; reason: string }[] | null
  emoji_ids: string[] | null
  recomputes: boolean | null
}
type Operator = Pick<Person, 'get' | 'post' | 'patch' | 'delete'>

export const config = (more: object = {}) => ({
  size: 3,
  min_length: 3,
  max_length: 5,
  min_base_score: 1,
  max_base_score: 60,
  guarantees: [],
  weights: [],
  ...more,
})
export const typeBody = (more: object = {}, price?: number) => ({
  name: 'Starter',
  description: 'A box to begin with',
  config: config(more),
  ...(price === undefined ? {} : { price_in_cents: price }),
})

const readAnswer = <Shape>(answer: { status: number; body: string; json(): unknown }): Shape => {
  if (answer.status !== 200) throw new Error(`Answered ${answer.status}: ${answer.body}`)
  return answer.json() as Shape
}

export const makeType = async (by: Operator, more: object = {}, price?: number) =>
  readAnswer<BoxType>(await by.post('/api/lootbox_type', typeBody(more, price)))

export const makeBox = async (by: Operator, body: object = {}) =>
  readAnswer<Box>(await by.post('/api/lootboxes', { status: 'Draft', yats: [newId()], ...body }))

/** Repeats the request: on a busy machine it begins fewer boxes than requested in its time. */
export async function generate(by: Operator, loot_box_type_id: string, num_boxes = 1) {
  const loot_boxes: Box[] = []
  while (loot_boxes.length < num_boxes) {
    const body = { loot_box_type_id, num_boxes: num_boxes - loot_boxes.length }
    const response = await by.post('/api/lootbox_type/generate', body)
    loot_boxes.push(...readAnswer<{ loot_boxes: Box[] }>(response).loot_boxes)
  }
  return { loot_boxes }
}

export const proofOf = async (by: Pick<Person, 'get'>, id: string) =>
  readAnswer<BoxProof>(await by.get(`/api/lootboxes/${id}/proof`))

/** Converts a box to the first sealing format. */
export async function sealInFirstFormat({ db }: Pick<TestService, 'db'>, { id }: Box) {
  const box = await db
    .selectFrom('lootboxes')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const sealer = createSealer([masterKey])
  const seed = sealer.open(box.sealed_seed, `lootbox seed ${id}`).toString('hex')
  const { yats: emoji_ids, rejected } = box
  const contents_hash = contentsHash({ seed, emoji_ids, rejected, recipe: null })
  const recipe = JSON.stringify({ ...box.recipe, algorithm: 1 })
  await sql`update lootboxes set contents_hash = ${contents_hash}, recipe = ${recipe} where id = ${id}`.execute(
    db,
  )
}
