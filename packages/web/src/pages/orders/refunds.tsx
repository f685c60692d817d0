import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Badge } from '../../design/badge.tsx'
import { Button, buttonLook } from '../../design/button.tsx'
import { When } from '../../design/date.tsx'
import { ErrorOf } from '../../design/feedback.tsx'
import { Money } from '../../design/money.tsx'
import { useAction } from '../../design/use-action.ts'
import { language } from '../../language.ts'
import { loadClaims, refundsQuery } from './queries.ts'
import { refundTexts as texts } from './texts.ts'

const nameOf = (status: string, isClaimed: boolean): string =>
  isClaimed ? texts.toClaim : texts.states[status as keyof typeof texts.states]

const moment = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' })

/** The refunds, with claim links for cryptocurrency payments. */
export function Refunds({ order_id }: { order_id: string }) {
  const { data: refunds, error } = useQuery({
    ...refundsQuery(order_id),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'queued') ? 5_000 : false,
  })
  if (error) return <ErrorOf thrown={error} />
  if (!refunds || refunds.length === 0) return null
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold">{texts.refunds}</h3>
      <ul className="grid divide-y divide-hair">
        {refunds.map(
          ({ id, amount_in_cents, status, created_at, done_at, paid_out_at, ...one }) => {
            // A paid refund needs no address any more.
            const isOpenClaim = one.has_claim && !paid_out_at
            const claim_url = isOpenClaim ? one.claim_url : null
            return (
              <li key={id} className="grid gap-3 py-3 first:pt-0 last:pb-0">
                <p className="flex flex-wrap items-center justify-between gap-3">
                  <span className="text-lg font-semibold">
                    <Money cents={amount_in_cents} />
                  </span>
                  <span className="flex flex-wrap items-center gap-3 text-sm text-soft">
                    <When at={paid_out_at ?? done_at ?? created_at} />
                    <Badge tone={status === 'done' ? 'good' : 'plain'}>
                      {nameOf(status, isOpenClaim && !one.claim_from)}
                    </Badge>
                  </span>
                </p>
                {claim_url ? (
                  <div className="grid justify-items-start gap-2 print:hidden">
                    <p className="text-sm text-soft">{texts.claimText}</p>
                    <a href={claim_url} target="_blank" rel="noreferrer" className={buttonLook()}>
                      {texts.claim}
                    </a>
                  </div>
                ) : null}
                {isOpenClaim && one.claim_from ? (
                  <p className="text-sm text-soft">
                    {texts.claimFrom(moment.format(new Date(one.claim_from)))}
                  </p>
                ) : null}
                {isOpenClaim && !claim_url && !one.claim_from ? (
                  <ShowClaims order_id={order_id} />
                ) : null}
              </li>
            )
          },
        )}
      </ul>
    </div>
  )
}

/** The service shows a claim link only after a fresh proof. */
function ShowClaims({ order_id }: { order_id: string }) {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useAction({
    mutationFn: () => loadClaims(order_id),
    onSuccess: (refunds) => queries.setQueryData(refundsQuery(order_id).queryKey, refunds),
  })
  return (
    <div className="grid justify-items-start gap-2 print:hidden">
      <Button look="second" isBusy={isPending} onClick={() => mutate()}>
        {texts.showClaim}
      </Button>
      {error ? <ErrorOf thrown={error} /> : null}
    </div>
  )
}
