import {
  type BoxConfig,
  type BoxRecipe,
  contentsHash,
  type EmojiId,
  emojiAlphabet,
  recomputeBox,
  seedHash,
} from '@emojid/core'
import { expect, it } from 'vitest'
import type { Lootbox } from '../../../api/shop.ts'
import type { NotedSeals } from './noted-seals.ts'
import type { LootboxProof } from './queries.ts'
import { type Check, isVerified, oddsShown, sealsOf, verifyBox } from './verify-box.ts'

const config: BoxConfig = {
  size: 3,
  min_length: 3,
  max_length: 5,
  min_base_score: 1,
  max_base_score: 30,
  guarantees: [{ count: 1, min_score: 40, max_score: 60 }],
  weights: [{ ipr: 4, min_score: 31, max_score: 45 }],
}
const boxOf = (yats: readonly string[], otherBox = config) =>
  ({ yats, lootbox_type_id: 'type', lootbox_type: { config: otherBox } }) as unknown as Lootbox

/** A correctly drawn box and its published proof. */
function boxWith(algorithm: BoxRecipe['algorithm'], byte = '07') {
  const recipe: BoxRecipe = { algorithm, config, emojis: emojiAlphabet.slice(0, 200) }
  const seed = byte.repeat(32)
  const emoji_ids = recomputeBox({ recipe, seed, rejected: [] }) as EmojiId[]
  const contents = { seed, emoji_ids, rejected: [], recipe: algorithm === 1 ? null : recipe }
  const proof = {
    seed,
    emoji_ids,
    recipe,
    rejected: [],
    lootbox_type_id: 'type',
    seed_hash: seedHash(seed),
    contents_hash: contentsHash(contents),
  } as unknown as LootboxProof
  const box = boxOf(emoji_ids)
  return { box, proof, noted: { ...sealsOf(proof), odds: oddsShown(box) } as NotedSeals }
}
const { box, proof, noted } = boxWith(2)

const namesOf = (checks: Check[], verdict: Check['verdict']) =>
  checks.flatMap((one) => (one.verdict === verdict ? one.name : []))

it('the browser verifies an unchanged box', async () => {
  const checks = await verifyBox({ box, proof, noted })
  expect(namesOf(checks, 'holds')).toHaveLength(7)
  expect(isVerified(checks)).toBe(true)
})

it('the browser reports unknown for a browser that never saw the closed box', async () => {
  const checks = await verifyBox({ box, proof, noted: {} })
  expect(namesOf(checks, 'unknown')).toEqual(['noted', 'promised'])
  expect(isVerified(checks)).toBe(true)
})

const { recipe } = proof
const other = boxWith(2, '08').proof
const withWeights = (weights: BoxConfig['weights']) => ({ ...config, weights })
const more = withWeights([{ ipr: 2, min_score: 31, max_score: 45 }])

it.each<[string, Partial<LootboxProof>, Check['name'][], Check['name'][]]>([
  ['another secret number', { seed: '08'.repeat(32) }, ['seed', 'contents', 'drawn'], []],
  [
    'no recipe, and nonsense for a secret number',
    { seed: 'xyz', recipe: null },
    ['noted', 'seed', 'contents'],
    ['odds', 'drawn'],
  ],
  ['no recipe', { recipe: null }, ['noted', 'contents'], ['odds', 'drawn']],
  [
    'another id',
    { emoji_ids: [...(other.emoji_ids ?? []).slice(0, 1), ...box.yats.slice(1)] },
    ['contents', 'drawn', 'received'],
    [],
  ],
  ['all of another box', other, ['noted', 'received'], []],
  [
    'other odds',
    { recipe: recipe && { ...recipe, config: withWeights([]) } } as Partial<LootboxProof>,
    ['noted', 'contents', 'odds'],
    [],
  ],
])('the browser does not verify a proof with %s', async (_what, change, broken, unchecked) => {
  const checks = await verifyBox({ box, proof: { ...proof, ...change }, noted })
  expect(namesOf(checks, 'broken')).toEqual(expect.arrayContaining(broken))
  expect(namesOf(checks, 'unchecked')).toEqual(unchecked)
  expect(isVerified(checks)).toBe(false)
})

it('the browser does not verify a box whose odds changed while it was closed', async () => {
  const otherBox = boxOf(box.yats, more)
  const closedProof = { ...proof, recipe: recipe && { ...recipe, config: more } } as LootboxProof
  const seals = { ...sealsOf(closedProof), odds: oddsShown(otherBox) }
  const checks = await verifyBox({ box, proof, noted: seals })
  expect(namesOf(checks, 'broken')).toEqual(['noted', 'promised'])
})

it('the browser compares a recipe outside the seal with the saved one', async () => {
  const first = boxWith(1)
  const emojis = first.proof.recipe?.emojis.toReversed()
  const changedProof = { ...first.proof, recipe: { ...first.proof.recipe, emojis } } as LootboxProof
  expect(isVerified(await verifyBox(first))).toBe(true)
  const checks = await verifyBox({ ...first, proof: changedProof })
  expect(namesOf(checks, 'broken')).toContain('noted')
  expect(namesOf(checks, 'holds')).toContain('contents')
})
