import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../design/badge.tsx'
import { buttonLook } from '../../design/button.tsx'
import { When } from '../../design/date.tsx'
import { ErrorOf } from '../../design/feedback.tsx'
import { Money } from '../../design/money.tsx'
import { refundsQuery } from './queries.ts'
import { refundTexts as texts } from './texts.ts'

const nameOf = (status: string, isClaimed: boolean): string =>
  isClaimed ? texts.toClaim : texts.states[status as keyof typeof texts.states]

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
            const claim_url = paid_out_at ? null : one.claim_url
            return (
              <li key={id} className="grid gap-3 py-3 first:pt-0 last:pb-0">
                <p className="flex flex-wrap items-center justify-between gap-3">
                  <span className="text-lg font-semibold">
                    <Money cents={amount_in_cents} />
                  </span>
                  <span className="flex flex-wrap items-center gap-3 text-sm text-soft">
                    <When at={paid_out_at ?? done_at ?? created_at} />
                    <Badge tone={status === 'done' ? 'good' : 'plain'}>
                      {nameOf(status, claim_url !== null)}
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
              </li>
            )
          },
        )}
      </ul>
    </div>
  )
}
