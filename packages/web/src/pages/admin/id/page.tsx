import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { buttonLook } from '../../../design/button.tsx'
import { DetailFallback } from '../../../design/detail-fallback.tsx'
import { spokenNames } from '../../../design/emoji-id.tsx'
import { Section } from '../../../design/section.tsx'
import { FactsPanel } from './facts.tsx'
import { HistoryPanel } from './history.tsx'
import { OrdersPanel } from './orders.tsx'
import { overviewQuery } from './queries.ts'
import { ReportsPanel } from './reports.tsx'
import { texts } from './texts.ts'
import { TransfersPanel } from './transfers.tsx'

/** One id as operators see it. */
export function IdPage() {
  const { id: typedId = '' } = useParams({ strict: false })
  const { data: id, error } = useQuery(overviewQuery(typedId))
  if (!id) {
    return (
      <Section title={texts.title}>
        <DetailFallback error={error} text={texts.missing} back={<Back />} />
      </Section>
    )
  }
  const { emoji_id, orders, transfers, history } = id
  return (
    <Section
      title={texts.titleOf(spokenNames(id.display_format))}
      actions={
        <>
          <a href={`/${encodeURIComponent(emoji_id)}`} className={buttonLook('second')}>
            {texts.publicPage}
          </a>
          <Link
            to="/admin/audit"
            search={{ id: emoji_id } as never}
            className={buttonLook('second')}
          >
            {texts.log}
          </Link>
          <Back />
        </>
      }
    >
      <FactsPanel id={id} />
      <ReportsPanel reports={id.reports} />
      {orders ? <OrdersPanel emojiId={emoji_id} orders={orders} /> : null}
      {transfers ? <TransfersPanel transfers={transfers} /> : null}
      {history ? <HistoryPanel history={history} /> : null}
    </Section>
  )
}

const Back = () => (
  <Link to="/admin/ids" className={buttonLook('second')}>
    {texts.back}
  </Link>
)
