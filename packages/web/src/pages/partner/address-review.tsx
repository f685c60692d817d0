import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Flow, goBackToPartner } from '../../api/partner-visit.ts'
import type { Branding } from '../../api/partners.ts'
import { editRecords, recordsQuery } from '../../api/records.ts'
import { Button, buttonLook } from '../../design/button.tsx'
import { EmojiId } from '../../design/emoji-id.tsx'
import { Alert, Card, ErrorOf, Notice } from '../../design/feedback.tsx'
import { useAction } from '../../design/use-action.ts'
import { useLastVisit } from '../../design/use-visit.ts'
import { Waiting } from '../../design/waiting.tsx'
import { AddressForm } from '../orders/address-form.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { GoBack } from './go-back.tsx'
import { ownId } from './own-id.ts'
import {
  type PartnerAddress,
  readPartnerAddresses,
  type UnreadAddress,
} from './partner-addresses.ts'
import { ownIdsQuery } from './queries.ts'
import { type Change, offeredTickers, type ReviewResult, review } from './review.ts'
import { StepTitle } from './step-title.tsx'
import { texts } from './texts.ts'

const { review: t } = texts
type Props = { id: string; branding: Branding; path: string; flow: Flow }

/** Reviews the partner's addresses; saves and reports them after the visitor confirms. */
export function AddressReview({ id, ...rest }: Props) {
  const { addresses = '', address_json = '' } = useLastVisit() ?? {}
  const { data: ids = [], isFetching } = useQuery(ownIdsQuery)
  const display = ownId(ids, id)
  const proposal = readPartnerAddresses({ addresses, address_json })
  const returnSearch = { path: rest.path, name: rest.branding.name, flow: rest.flow }
  // The cached list may lack a new id.
  if (!display && isFetching) return <Waiting />
  if (!display)
    return (
      <Card className="grid justify-items-start gap-4">
        <Alert>{t.notYours}</Alert>
        <GoBack {...returnSearch} />
      </Card>
    )
  return (
    <Card className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <StepTitle>{t.title}</StepTitle>
        <EmojiId id={display} />
      </div>
      {proposal.addresses.length > 0 ? (
        <Review {...rest} id={display} proposal={proposal.addresses} />
      ) : (
        <ManualAddress {...rest} id={display} />
      )}
      <UnreadList unread={proposal.unread} name={rest.branding.name} />
    </Card>
  )
}

/** No address of the partner can be saved. */
const ManualAddress = ({ id, branding: { name, currencies }, path, flow }: Props) => {
  const tickers = offeredTickers(currencies)
  const { isLost } = useLastVisit() ?? {}
  return (
    <>
      <p className="text-soft">{isLost ? t.lost(name) : t.none(name)}</p>
      {tickers.length > 0 ? <AddressForm id={id} tickers={tickers} /> : <AddressForm id={id} />}
      <GoBack path={path} name={name} flow={flow} eid={id} />
    </>
  )
}

type ReviewProps = Props & { proposal: readonly PartnerAddress[] }

function Review({ id, branding: { name, currencies }, path, flow, proposal }: ReviewProps) {
  const queries = useQueryClient()
  const { data: records, error } = useQuery(recordsQuery(id))
  const [leftOut, setLeftOut] = useState<readonly string[]>([])
  const save = useAction({
    mutationFn: async (changes: readonly Change[]) => {
      const insert = changes.map(({ tag, data }) => ({ tag, data }))
      await editRecords(id, { insert })
      // The visitor may have more ids to review.
      if (flow !== 'manage') await goBackToPartner(path, flow, id)
    },
    onSettled: () => void queries.invalidateQueries(recordsQuery(id)),
  })
  const returnSearch = { path, name, flow, eid: id }
  if (!records) return error ? <ErrorOf thrown={error} /> : <Waiting />
  if (save.isSuccess)
    return (
      <>
        <Notice>{t.saved}</Notice>
        {flow === 'manage' ? null : <p className="text-soft">{texts.back.stuck(name)}</p>}
        <div className="flex flex-wrap items-start gap-3">
          {flow === 'manage' ? <AllIds path={path} /> : null}
          <GoBack {...returnSearch} />
        </div>
      </>
    )
  const rows = proposal.map((one) => review(one, records, currencies, t.notOffered(name)))
  const changes = rows.filter(isChange)
  const chosenChanges = changes.filter(({ tag }) => !leftOut.includes(tag))
  const refusedCount = rows.filter(({ state }) => state === 'refused').length
  const emptyText =
    refusedCount === 0 ? t.nothingNew : refusedCount === rows.length ? t.nothingGood : t.restIsGood
  return (
    <>
      {changes.length > 0 ? <p className="text-soft">{t.text(name)}</p> : null}
      {changes.length === 0 ? <p>{emptyText}</p> : null}
      <ReviewedAddresses rows={rows} leftOut={leftOut} setLeftOut={setLeftOut} />
      <ErrorOf thrown={save.error} />
      <div className="flex flex-wrap items-start gap-3">
        {chosenChanges.length > 0 ? (
          <Button isBusy={save.isPending} onClick={() => save.mutate(chosenChanges)}>
            {t.save(chosenChanges.length)}
          </Button>
        ) : null}
        {changes.length > 0 ? (
          <GoBack {...returnSearch} label={t.skip(name)} look="quiet" />
        ) : (
          <GoBack {...returnSearch} look="main" />
        )}
        {flow === 'manage' ? <AllIds path={path} /> : null}
      </div>
    </>
  )
}

const AllIds = ({ path }: { path: string }) => (
  <Link to="/partner/$path/manage" params={{ path }} className={buttonLook('quiet')}>
    {texts.manage.all}
  </Link>
)

const isChange = (row: ReviewResult): row is Change =>
  row.state === 'new' || row.state === 'replaces'

const badges = {
  new: 'bg-good-ground text-good',
  same: 'bg-tint text-ink',
  replaces: 'bg-tint text-main',
  refused: 'bg-wrong-ground text-wrong',
}

type ReviewedAddressesProps = {
  rows: readonly ReviewResult[]
  leftOut: readonly string[]
  setLeftOut: (tags: readonly string[]) => void
}

/** The addresses with their effects; each change can be excluded. */
const ReviewedAddresses = ({ rows, leftOut, setLeftOut }: ReviewedAddressesProps) => (
  <ul className="grid gap-3">
    {rows.map((row) => (
      <li key={row.tag} className="grid gap-2 rounded-2xl border border-hair p-4">
        <div className="flex items-center justify-between gap-4">
          <Currency
            row={row}
            isLeftOut={leftOut.includes(row.tag)}
            onChange={(isLeftOut) =>
              setLeftOut([
                ...leftOut.filter((tag) => tag !== row.tag),
                ...(isLeftOut ? [row.tag] : []),
              ])
            }
          />
          <span
            className={`shrink-0 rounded-full px-3 py-1 font-semibold text-sm ${badges[row.state]}`}
          >
            {t.states[row.state]}
          </span>
        </div>
        <p className="font-mono text-sm break-all">{row.address}</p>
        {row.wallet ? (
          <p className="text-sm wrap-anywhere">
            <span className="text-soft">{t.wallet}:</span> {row.wallet}
          </p>
        ) : null}
        {row.state === 'refused' ? (
          <p className="font-medium text-sm text-wrong">{row.why}</p>
        ) : (
          <Effect row={row} />
        )}
      </li>
    ))}
  </ul>
)

type CurrencyProps = {
  row: ReviewResult
  isLeftOut: boolean
  onChange: (isLeftOut: boolean) => void
}

function Currency({ row, isLeftOut, onChange }: CurrencyProps) {
  const name = (
    <span>
      <span className="font-semibold">{row.currency}</span>{' '}
      <span className="font-mono text-sm text-soft">{row.tag}</span>
    </span>
  )
  if (row.state === 'same' || row.state === 'refused') return name
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        checked={!isLeftOut}
        onChange={({ target }) => onChange(!target.checked)}
        className="size-5 accent-main"
      />
      <span className="sr-only">{t.include}</span>
      {name}
    </label>
  )
}

const Effect = ({ row: { state, before, isSignedBefore, strength } }: { row: Change }) => (
  <>
    {state === 'replaces' ? (
      <p className="text-sm">
        <span className="text-soft">{t.instead}:</span>{' '}
        <span className="font-mono break-all">{before}</span>
        {isSignedBefore ? <span className="block text-soft">{t.signatureGoes}</span> : null}
      </p>
    ) : null}
    <p className="text-sm text-soft">{sharedTexts.strengths[strength]}</p>
  </>
)

/** The unreadable parts of the partner's list. */
const UnreadList = ({ unread, name }: { unread: readonly UnreadAddress[]; name: string }) =>
  unread.length === 0 ? null : (
    <div className="grid gap-3 border-hair border-t pt-4">
      <h3 className="font-semibold">{t.unreadTitle}</h3>
      <ul className="grid gap-2">
        {unread.map(({ text, fault }) => (
          <li key={`${fault} ${text}`} className="grid gap-0.5">
            <span className="font-mono text-sm break-all">{text}</span>
            <span className="font-medium text-sm text-wrong">{t.unread[fault]}</span>
          </li>
        ))}
      </ul>
      <p className="text-sm text-soft">{t.unreadAdvice(name)}</p>
    </div>
  )
