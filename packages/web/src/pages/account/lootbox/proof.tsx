import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { addresses } from '../../../api/addresses.ts'
import type { Lootbox } from '../../../api/shop.ts'
import { Badge, type Tone } from '../../../design/badge.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { readId } from '../../partner/own-id.ts'
import { readNoted, saveClosedBox } from './noted-seals.ts'
import { type LootboxProof, lootboxProofQuery } from './queries.ts'
import { proofTexts as texts } from './texts.ts'
import { type Check, isVerified, matchesOdds, oddsShown, sealsOf, verifyBox } from './verify-box.ts'

/** Proves that the contents never changed: seals while it is closed, a recomputation once it is open. */
export function Proof({ box }: { box: Lootbox }) {
  const { data: proof, error } = useQuery(lootboxProofQuery(box.id, box.status))
  useEffect(() => {
    // Save the odds even if the proof fails to load.
    if (box.status !== 'Used') saveClosedBox(box.id, { odds: oddsShown(box) })
  }, [box])
  return (
    <Card className="grid gap-4">
      <h2>{texts.title}</h2>
      <ErrorOf thrown={error} />
      {!proof && !error ? <Waiting /> : null}
      {proof && box.status !== 'Used' ? <SealedProof box={box} proof={proof} /> : null}
      {proof && box.status === 'Used' ? <RevealedProof box={box} proof={proof} /> : null}
    </Card>
  )
}

function SealedProof({ box, proof }: { box: Lootbox; proof: LootboxProof }) {
  useEffect(() => saveClosedBox(proof.id, sealsOf(proof)), [proof])
  const { seed_hash, contents_hash, recipe_hash } = sealsOf(proof)
  return (
    <>
      {matchesOdds(box, proof) ? null : (
        <p role="alert" className="rounded-field bg-wrong-ground px-4 py-3 text-wrong">
          {texts.otherOdds}
        </p>
      )}
      <p className="text-soft">{texts.closedNoted}</p>
      <Folded>
        <p className="text-soft">{texts.closedText}</p>
        <BoxesOfType proof={proof} />
        <dl className="grid gap-3">
          <Value name={texts.seed} value={seed_hash} />
          <Value name={texts.contents} value={contents_hash} />
          {proof.recipe ? <Value name={texts.recipe} value={recipe_hash} /> : null}
        </dl>
        <UnboundOdds proof={proof} />
      </Folded>
    </>
  )
}

/** States which data the seals of a box do not cover. */
function UnboundOdds({ proof: { recipe } }: { proof: LootboxProof }) {
  if (recipe && recipe.algorithm !== 1) return null
  return <p className="text-soft">{recipe ? texts.oddsUnbound : texts.byHand}</p>
}

/** The details, for readers who want them. A broken proof shows them immediately. */
const Folded = ({ isOpen = false, children }: { isOpen?: boolean; children: ReactNode }) => (
  <details open={isOpen} className="border-t border-hair pt-3">
    <summary className="min-h-11 cursor-pointer content-center font-semibold">{texts.show}</summary>
    <div className="grid gap-4 pt-2">{children}</div>
  </details>
)

function BoxesOfType({ proof: { boxes_of_type: counts } }: { proof: LootboxProof }) {
  return counts ? <p className="text-soft">{texts.boxesOfType(counts)}</p> : null
}

type Outcome = 'verified' | 'unnoted' | 'broken'
const looks: Record<Outcome, string> = {
  verified: 'bg-good-ground text-good',
  unnoted: 'bg-tint',
  broken: 'bg-wrong-ground text-wrong',
}

function outcomeOf(checks: readonly Check[]): Outcome {
  if (!isVerified(checks)) return 'broken'
  return checks.some(({ verdict }) => verdict === 'unknown') ? 'unnoted' : 'verified'
}

function RevealedProof({ box, proof }: { box: Lootbox; proof: LootboxProof }) {
  const { data: checks } = useQuery({
    queryKey: ['lootboxes', 'verdict', box, proof],
    queryFn: () => verifyBox({ box, proof, noted: readNoted(box.id) }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!checks) return <Waiting text={texts.checking} />
  const outcome = outcomeOf(checks)
  return (
    <>
      <div
        role={outcome === 'broken' ? 'alert' : 'status'}
        className={`grid gap-1 rounded-field px-4 py-3 ${looks[outcome]}`}
      >
        <p className="text-lg font-bold">{texts.outcomes[outcome].title}</p>
        <p>{texts.outcomes[outcome].text}</p>
      </div>
      <Folded isOpen={outcome === 'broken'}>
        <UnboundOdds proof={proof} />
        <BoxesOfType proof={proof} />
        <h3 className="font-semibold">{texts.steps}</h3>
        <CheckList checks={checks} />
        <Numbers proof={proof} />
      </Folded>
    </>
  )
}

function Numbers({ proof: { id, seed, rejected } }: { proof: LootboxProof }) {
  const rejections = (rejected ?? []).map(
    ({ emoji_id, reason }) => `${emoji_id} (${texts.reasons[reason] ?? reason})`,
  )
  return (
    <details className="grid gap-3 border-t border-hair pt-3">
      <summary className="min-h-11 cursor-pointer content-center font-semibold">
        {texts.numbers}
      </summary>
      <dl className="grid gap-3 pb-3">
        <Value name={texts.secret} value={seed ?? texts.nothing} />
        <Value
          name={texts.rejected}
          value={rejections.length > 0 ? rejections.join(', ') : texts.nothingRejected}
        />
      </dl>
      <a
        href={`${addresses.api}/lootboxes/${id}/proof`}
        className="inline-flex min-h-11 items-center font-medium text-main underline underline-offset-4"
      >
        {texts.raw}
      </a>
    </details>
  )
}

const tones: Record<Check['verdict'], Tone> = {
  holds: 'good',
  broken: 'wrong',
  unknown: 'plain',
  unchecked: 'wrong',
}

/** Each check with the published and the computed value. */
const CheckList = ({ checks }: { checks: readonly Check[] }) => (
  <ol className="grid divide-y divide-hair">
    {checks.map((check) => (
      <li key={check.name} className="py-3 first:pt-0 last:pb-0">
        <OneCheck check={check} />
      </li>
    ))}
  </ol>
)

function OneCheck({ check: { name, verdict, published, computed } }: { check: Check }) {
  const { title, text, values } = texts.checks[name]
  const isCompared = verdict === 'holds' || verdict === 'broken'
  const [publishedName = '', computedName = ''] = values
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h4 className="font-medium">{title}</h4>
        <Badge tone={tones[verdict]}>{texts.verdicts[verdict]}</Badge>
      </div>
      <p className="text-sm text-soft">
        {verdict === 'unknown' || verdict === 'unchecked' ? texts.without[verdict] : text}
      </p>
      {isCompared ? (
        <dl className="grid gap-2">
          <Value name={publishedName} value={published} />
          <Value name={computedName} value={computed ?? texts.nothing} />
        </dl>
      ) : null}
    </div>
  )
}

type ValueProps = { name: string; value: string | readonly string[] }

/** A number or ids, to compare by eye. */
const Value = ({ name, value }: ValueProps) => (
  <div className="grid gap-0.5">
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="flex flex-wrap gap-x-4 gap-y-1.5 font-mono text-sm wrap-anywhere">
      {[value]
        .flat()
        .map((part) =>
          readId(part) ? (
            <EmojiId key={part} id={part} size="small" />
          ) : (
            <span key={part}>{part}</span>
          ),
        )}
    </dd>
  </div>
)
