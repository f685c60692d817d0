import { merkleRoot } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { addresses } from '../../../../api/addresses.ts'
import type { StoredRecord } from '../../../../api/records.ts'
import { Badge } from '../../../../design/badge.tsx'
import { Button, buttonLook } from '../../../../design/button.tsx'
import { When } from '../../../../design/date.tsx'
import { Card, ErrorOf } from '../../../../design/feedback.tsx'
import { useList } from '../../../../design/list-search.ts'
import { Pager } from '../../../../design/paged-table.tsx'
import { Waiting } from '../../../../design/waiting.tsx'
import { pairUp } from '../../../../records/diff.ts'
import { titleOf } from '../../../../records/names.ts'
import { stepsBack } from '../addresses/draft.ts'
import { addToDraft } from '../addresses/drafts.ts'
import { DiffRow, stateOf } from '../diff-rows.tsx'
import { changesQuery, proofQuery } from '../queries.ts'
import { proofTexts, texts } from './texts.ts'

export function IdHistoryPage() {
  const { id } = useParams({ from: '/account/ids/$id' })
  const { page } = useList({})
  const { data, error } = useQuery(changesQuery(id, page))
  const { data: proof } = useQuery(proofQuery(id))
  return (
    <div className="grid gap-5">
      <Card className="grid gap-5">
        <div>
          <h2>{texts.title}</h2>
          <p className="text-soft">{texts.text}</p>
        </div>
        <ErrorOf thrown={error} />
        {data || error ? null : <Waiting />}
        {data?.paging.total === 0 ? <p>{texts.none}</p> : null}
        <ol className="grid">
          {data?.data.map((change) => (
            <li
              key={change.version}
              className="border-t border-hair py-5 first:border-0 first:pt-0"
            >
              <HistoryEntry id={id} change={change} records={proof?.records} />
            </li>
          ))}
        </ol>
        {data && data.paging.total > 0 ? <Pager paging={data.paging} label={texts.pages} /> : null}
      </Card>
      {proof ? <Proof id={id} proof={proof} /> : null}
    </div>
  )
}

type ChangeProps = {
  id: string
  change: {
    changed_at: string
    by: keyof typeof texts.by
    undoes: number | null
    is_kept: boolean
    added: StoredRecord[]
    removed: StoredRecord[]
    reordered: boolean
  }
  /** The current records. */
  records: readonly StoredRecord[] | undefined
}

function HistoryEntry({ id, change, records }: ChangeProps) {
  const navigate = useNavigate()
  const pairs = pairUp(change.removed, change.added)
  const many = (state: string) => pairs.filter((pair) => stateOf(pair) === state).length
  const steps = records ? stepsBack(records, change) : []
  const summary = texts.summary(many('added'), many('changed'), many('removed'), change.reordered)
  return (
    <article className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-semibold">
          {change.is_kept ? summary || texts.nothing : texts.notKept}
        </h3>
        {change.undoes === null ? null : <Badge tone="main">{texts.undone}</Badge>}
      </div>
      <p className="text-sm text-soft">
        <When at={change.changed_at} isExact />, {texts.by[change.by]}
      </p>
      {pairs.map((pair) => (
        <DiffRow key={`${pair.before[0]?.hash} ${pair.after?.hash}`} pair={pair} />
      ))}
      {steps.length > 0 ? (
        <div>
          <Button
            look="second"
            onClick={() => {
              addToDraft(id, steps)
              navigate({ to: '/account/ids/$id', params: { id } })
            }}
          >
            {change.removed.length > 0 ? texts.putBack : texts.takeAway}
            <span className="sr-only">: {namesOf(pairs)}</span>
          </Button>
        </div>
      ) : null}
      {records && pairs.length > 0 && steps.length === 0 ? (
        <p className="text-sm text-soft">{texts.isBack}</p>
      ) : null}
    </article>
  )
}

const namesOf = (pairs: ReturnType<typeof pairUp>): string =>
  [
    ...new Set(
      pairs.flatMap(({ before, after }) => [...before, ...(after ? [after] : [])]).map(titleOf),
    ),
  ].join(', ')

type Props = {
  id: string
  proof: {
    pubkey: string | null
    version: number
    merkle_root: string
    signature: { signer: string } | null
    records: StoredRecord[]
  }
}

/** The signature and fingerprint of the records. */
function Proof({ id, proof }: Props) {
  const { records, merkle_root, version } = proof
  const isRight = merkleRoot(records.map(({ hash }) => hash)) === merkle_root
  return (
    <Card className="grid gap-4">
      <div>
        <h2>{proofTexts.title}</h2>
        <p className="text-soft">{proofTexts.text}</p>
      </div>
      <p>{signatureOf(proof)}</p>
      {records.length > 0 ? (
        <div className="grid gap-1">
          <p className={isRight ? '' : 'font-medium text-wrong'}>
            {isRight ? proofTexts.fits : proofTexts.broken}
          </p>
          <p className="text-sm text-soft">
            {proofTexts.root}, {proofTexts.version(version).toLowerCase()}
          </p>
          <p className="font-mono text-sm break-all">{merkle_root}</p>
        </div>
      ) : null}
      <div>
        <a
          href={`${addresses.api}/emoji_id/${encodeURIComponent(id)}/proof`}
          className={buttonLook('second')}
        >
          {proofTexts.open}
        </a>
      </div>
    </Card>
  )
}

function signatureOf({ records, signature, pubkey }: Props['proof']): string {
  if (records.length === 0) return proofTexts.noRecords
  if (!signature) return proofTexts.unsigned
  return signature.signer === pubkey
    ? proofTexts.signed(shortened(pubkey))
    : proofTexts.signedByOther
}

const shortened = (key: string): string => `${key.slice(0, 8)}…${key.slice(-8)}`
