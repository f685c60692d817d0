import {
  type BoxRecipe,
  contentsHash,
  type EmojiId,
  parseTonedEmojiId,
  type RevealedBox,
  recipeHash,
  recomputeStepwise,
  seedHash,
} from '@emojid/core'
import type { Lootbox } from '../../../api/shop.ts'
import type { NotedSeals } from './noted-seals.ts'
import type { LootboxProof } from './queries.ts'

export type Check = {
  name: 'noted' | 'promised' | 'seed' | 'contents' | 'odds' | 'drawn' | 'received'
  /** `unknown`: the browser saved nothing to compare. `unchecked`: required data is missing. */
  verdict: 'holds' | 'broken' | 'unknown' | 'unchecked'
  /** The published value and the computed one. */
  published: string | readonly string[]
  computed: string | readonly string[] | undefined
}

/** An opened box, its published proof, and the data saved while it was closed. */
export type OpenedBox = { box: Lootbox; proof: LootboxProof; noted: NotedSeals }

const turnMs = 12

/** Recomputes everything that the proof of an opened box claims. Trusts no stated result. */
export async function verifyBox({ box, proof, noted }: OpenedBox): Promise<Check[]> {
  const { seed, emoji_ids, rejected, seed_hash, contents_hash } = proof
  const recipe = proof.recipe as BoxRecipe | null
  const [ids, rejections] = [emoji_ids ?? [], rejected ?? []]
  const contents = { seed: seed ?? '', emoji_ids: ids, rejected: rejections, recipe }
  const checks = [
    sealsCheck(sealsOf(proof), noted),
    check('promised', oddsShown(box), noted.odds, 'unknown'),
    check(
      'seed',
      seed_hash,
      tryCompute(() => seedHash(seed ?? '')),
    ),
    check(
      'contents',
      contents_hash,
      tryCompute(() => contentsHash(contents)),
    ),
  ]
  if (recipe) {
    checks.push(check('odds', serializeSorted(recipe.config), oddsShown(box)))
    const isKnown = recipe.algorithm === 1 || recipe.algorithm === 2
    const drawnIds = isKnown
      ? await repeatDraw({ recipe, seed: seed ?? '', rejected: rejections })
      : null
    checks.push(drawnIds === null ? unchecked('drawn') : check('drawn', ids, drawnIds))
  } else if (isOfKind(box, proof)) {
    checks.push(unchecked('odds'), unchecked('drawn'))
  }
  const receivedIds = tryCompute(() => box.yats.map((text) => parseTonedEmojiId(text).id))
  return [...checks, check('received', ids, receivedIds)]
}

export const isVerified = (checks: readonly Check[]): boolean =>
  checks.every(({ verdict }) => verdict === 'holds' || verdict === 'unknown')

/** A box of a type was drawn, so it has a recipe. */
const isOfKind = (box: Lootbox, proof: LootboxProof): boolean =>
  (box.lootbox_type ?? box.lootbox_type_id ?? proof.lootbox_type_id) !== null

/** Whether a closed box uses the parameters behind its odds. */
export const matchesOdds = (box: Lootbox, proof: LootboxProof): boolean =>
  proof.recipe ? serializeSorted(proof.recipe.config) === oddsShown(box) : !isOfKind(box, proof)

/** Placeholder for values that a box filled by hand lacks. */
const none = '–'

/** The parameters behind the odds on the page. */
export const oddsShown = ({ lootbox_type }: Lootbox): string =>
  lootbox_type ? serializeSorted(lootbox_type.config) : none

export const sealsOf = ({ seed_hash, contents_hash, recipe }: LootboxProof) => ({
  seed_hash,
  contents_hash,
  recipe_hash: (recipe && tryCompute(() => recipeHash(recipe as BoxRecipe))) ?? none,
})

function sealsCheck(published: ReturnType<typeof sealsOf>, storedSeals: NotedSeals): Check {
  const names = (['seed_hash', 'contents_hash', 'recipe_hash'] as const).filter(
    (name) => storedSeals[name] !== undefined,
  )
  const before = names.map((name) => storedSeals[name] ?? none)
  const now = names.map((name) => published[name])
  return check('noted', now, names.length > 0 ? before : undefined, 'unknown')
}

const unchecked = (name: Check['name']): Check => ({
  name,
  verdict: 'unchecked',
  published: [],
  computed: undefined,
})

function check(
  name: Check['name'],
  published: Check['published'],
  computed: Check['computed'],
  without: 'unknown' | 'broken' = 'broken',
): Check {
  const isSame = computed !== undefined && computed.toString() === published.toString()
  const verdict = computed === undefined ? without : isSame ? 'holds' : 'broken'
  return { name, verdict, published, computed }
}

/** Returns undefined for invalid data. */
function tryCompute<Value>(compute: () => Value): Value | undefined {
  try {
    return compute()
  } catch {
    return undefined
  }
}

/** Drawing is slow, so it yields to the page in between. */
async function repeatDraw(box: RevealedBox): Promise<EmojiId[] | undefined> {
  try {
    const steps = recomputeStepwise(box)
    for (let turn = performance.now(); ; ) {
      const { done, value } = steps.next()
      if (done) return value
      if (performance.now() - turn < turnMs) continue
      await new Promise((resolve) => setTimeout(resolve))
      turn = performance.now()
    }
  } catch {
    return undefined
  }
}

/** Serializes with sorted members. */
const serializeSorted = (value: unknown): string =>
  JSON.stringify(value, (_name, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
