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
import type { Lootbox } from '../../../api/lootboxes.ts'
import type { Noted } from './noted-seals.ts'
import type { LootboxProof } from './queries.ts'

export type Check = {
  name: 'noted' | 'promised' | 'seed' | 'contents' | 'odds' | 'drawn' | 'received'
  /** Nothing was noted to compare with: unknown. What should be there is missing: unchecked. */
  verdict: 'holds' | 'broken' | 'unknown' | 'unchecked'
  /** What the service says, and what was computed from it. */
  published: string | readonly string[]
  computed: string | readonly string[] | undefined
}

/** A box that is opened, what is published of it, and what was noted while it was closed. */
export type Opened = { box: Lootbox; proof: LootboxProof; noted: Noted }

const turnMs = 12

/** Computes everything that the proof of an opened box promises. Takes nobody's word for it. */
export async function verifyBox({ box, proof, noted }: Opened): Promise<Check[]> {
  const { seed, emoji_ids, rejected, seed_hash, contents_hash } = proof
  const recipe = proof.recipe as BoxRecipe | null
  const [ids, refused] = [emoji_ids ?? [], rejected ?? []]
  const contents = { seed: seed ?? '', emoji_ids: ids, rejected: refused, recipe }
  const checks = [
    sealsCheck(sealsOf(proof), noted),
    check('promised', oddsShown(box), noted.odds, 'unknown'),
    check(
      'seed',
      seed_hash,
      attempt(() => seedHash(seed ?? '')),
    ),
    check(
      'contents',
      contents_hash,
      attempt(() => contentsHash(contents)),
    ),
  ]
  if (recipe) {
    checks.push(check('odds', inOrder(recipe.config), oddsShown(box)))
    const isKnown = recipe.algorithm === 1 || recipe.algorithm === 2
    const drawn = isKnown ? await drawAgain({ recipe, seed: seed ?? '', rejected: refused }) : null
    checks.push(drawn === null ? unchecked('drawn') : check('drawn', ids, drawn))
  } else if (isOfKind(box, proof)) {
    checks.push(unchecked('odds'), unchecked('drawn'))
  }
  const received = attempt(() => box.yats.map((text) => parseTonedEmojiId(text).id))
  return [...checks, check('received', ids, received)]
}

export const isVerified = (checks: readonly Check[]): boolean =>
  checks.every(({ verdict }) => verdict === 'holds' || verdict === 'unknown')

/** Boxes of a kind were drawn, so there is a recipe. */
const isOfKind = (box: Lootbox, proof: LootboxProof): boolean =>
  (box.lootbox_type ?? box.lootbox_type_id ?? proof.lootbox_type_id) !== null

/** While it is closed: whether it is drawn by what its odds are computed from. */
export const fitsItsOdds = (box: Lootbox, proof: LootboxProof): boolean =>
  proof.recipe ? inOrder(proof.recipe.config) === oddsShown(box) : !isOfKind(box, proof)

/** Stands for what a box that was filled by hand does not have. */
const none = '–'

/** What the odds on the page are computed from. */
export const oddsShown = ({ lootbox_type }: Lootbox): string =>
  lootbox_type ? inOrder(lootbox_type.config) : none

export const sealsOf = ({ seed_hash, contents_hash, recipe }: LootboxProof) => ({
  seed_hash,
  contents_hash,
  recipe_hash: (recipe && attempt(() => recipeHash(recipe as BoxRecipe))) ?? none,
})

function sealsCheck(published: ReturnType<typeof sealsOf>, noted: Noted): Check {
  const names = (['seed_hash', 'contents_hash', 'recipe_hash'] as const).filter(
    (name) => noted[name] !== undefined,
  )
  const before = names.map((name) => noted[name] ?? none)
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

/** What makes no sense computes to nothing. */
function attempt<Value>(compute: () => Value): Value | undefined {
  try {
    return compute()
  } catch {
    return undefined
  }
}

/** Drawing takes a while: the page stays alive in between. */
async function drawAgain(box: RevealedBox): Promise<EmojiId[] | undefined> {
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

/** The same for the same members, however they were sent. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_name, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
