import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { addresses } from '../../../api/addresses.ts'
import { type Lootbox, type LootboxProof, lootboxProofQuery } from '../../../api/lootboxes.ts'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { accountTexts } from '../../../texts/en-account.ts'
import { CheckList, Value } from './check-list.tsx'
import { notedSeals, noteSeals } from './noted-seals.ts'
import { isVerified, verifyBox } from './verify-box.ts'

const texts = accountTexts.boxProof

/** Shows that a box is what it was from the beginning: by seals at first, by computing it afterwards. */
export function Proof({ box }: { box: Lootbox }) {
  const { data: proof, error } = useQuery(lootboxProofQuery(box.id, box.status))
  return (
    <Card className="grid gap-4">
      <h2>{texts.title}</h2>
      <ErrorOf thrown={error} />
      {!proof && !error ? <Waiting /> : null}
      {proof && box.status !== 'Used' ? <Sealed proof={proof} /> : null}
      {proof && box.status === 'Used' ? <Revealed box={box} proof={proof} /> : null}
    </Card>
  )
}

function Sealed({ proof }: { proof: LootboxProof }) {
  useEffect(() => noteSeals(proof.id, proof), [proof])
  return (
    <>
      <p className="text-soft">{texts.closedText}</p>
      <dl className="grid gap-3">
        <Value name={texts.seed} value={proof.seed_hash} />
        <Value name={texts.contents} value={proof.contents_hash} />
      </dl>
      <p className="text-soft">{texts.closedNoted}</p>
    </>
  )
}

function Revealed({ box, proof }: { box: Lootbox; proof: LootboxProof }) {
  const { data: checks } = useQuery({
    queryKey: ['lootboxes', 'verdict', box.id, proof],
    queryFn: () => verifyBox({ box, proof, noted: notedSeals(box.id) }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!checks) return <Waiting text={texts.checking} />
  const isGood = isVerified(checks)
  const isNoted = checks.every(({ verdict }) => verdict !== 'unknown')
  const good = isNoted ? texts.verifiedText : texts.verifiedUnnotedText
  return (
    <>
      <div
        role={isGood ? 'status' : 'alert'}
        className={`grid gap-1 rounded-field px-4 py-3 ${isGood ? 'bg-good-ground text-good' : 'bg-wrong-ground text-wrong'}`}
      >
        <p className="text-lg font-bold">{isGood ? texts.verified : texts.broken}</p>
        <p>{isGood ? good : texts.brokenText}</p>
      </div>
      <h3 className="font-semibold">{texts.steps}</h3>
      <CheckList checks={checks} />
      <Numbers proof={proof} />
    </>
  )
}

function Numbers({ proof: { id, seed, rejected } }: { proof: LootboxProof }) {
  const refused = (rejected ?? []).map(
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
          value={refused.length > 0 ? refused.join(', ') : texts.nothingRejected}
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
