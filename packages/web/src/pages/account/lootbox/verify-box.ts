import {
  contentsHash,
  type EmojiId,
  parseTonedEmojiId,
  type RevealedBox,
  recomputeStepwise,
  seedHash,
} from '@emojid/core'
import type { Lootbox, LootboxProof } from '../../../api/lootboxes.ts'
import type { Seals } from './noted-seals.ts'

export type Check = {
  name: 'noted' | 'seed' | 'contents' | 'odds' | 'drawn' | 'received'
  verdict: 'holds' | 'broken' | 'unknown'
  /** What the service says, and what was computed from it. */
  published: string | readonly string[]
  computed: string | readonly string[] | undefined
}

/** A box that is opened, what is published of it, and what was noted while it was closed. */
export type Opened = { box: Lootbox; proof: LootboxProof; noted: Seals | undefined }

const turnMs = 12

/** Computes everything that the proof of an opened box promises. Takes nobody's word for it. */
export async function verifyBox({ box, proof, noted }: Opened): Promise<Check[]> {
  const { seed, emoji_ids, rejected, seed_hash, contents_hash, recipe } = proof
  const ids = emoji_ids ?? []
  const sealOf = ({ seed_hash, contents_hash }: Seals) => [seed_hash, contents_hash]
  const checks = [
    check('noted', sealOf(proof), noted && sealOf(noted), 'unknown'),
    check(
      'seed',
      seed_hash,
      attempt(() => seedHash(seed ?? '')),
    ),
    check(
      'contents',
      contents_hash,
      attempt(() => contentsHash(seed ?? '', ids, rejected ?? [])),
    ),
  ]
  if (recipe) {
    const config = box.lootbox_type && inOrder(box.lootbox_type.config)
    checks.push(check('odds', inOrder(recipe.config), config ?? undefined))
    const revealed = { recipe, seed, rejected: rejected ?? [] } as RevealedBox
    checks.push(check('drawn', ids, recipe.algorithm === 1 ? await drawAgain(revealed) : undefined))
  }
  const received = attempt(() => box.yats.map((text) => parseTonedEmojiId(text).id))
  return [...checks, check('received', ids, received)]
}

export const isVerified = (checks: readonly Check[]): boolean =>
  checks.every(({ verdict }) => verdict !== 'broken')

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
