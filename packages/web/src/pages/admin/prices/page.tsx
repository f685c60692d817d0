import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type PriceVersion, pricesQuery } from '../../../api/admin-prices.ts'
import { Badge } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { texts as adminTexts } from '../texts.ts'
import { differences } from './differences.ts'
import { PriceCurves } from './price-curves.tsx'
import { PriceGrid } from './price-grid.tsx'
import { texts } from './texts.ts'

export function PricesPage() {
  const { data: versions, error } = useQuery(pricesQuery)
  return (
    <Section
      title={adminTexts.sections.prices}
      text={texts.text}
      actions={
        <Link to="/admin/prices/new" className={buttonLook()}>
          {texts.create}
        </Link>
      }
    >
      {versions ? <Versions versions={versions} /> : null}
      {versions ? null : error ? <ErrorOf thrown={error} /> : <Waiting />}
    </Section>
  )
}

function Versions({ versions }: { versions: readonly PriceVersion[] }) {
  const [current] = versions
  const rows = versions.map((version, nth) => ({
    ...version,
    isCurrent: nth === 0,
    changes: differences(version.prices, versions[nth + 1]?.prices ?? version.prices),
  }))
  if (!current) return null
  return (
    <>
      <Card className="grid gap-4">
        <div className="grid gap-1">
          <h2>{texts.inForce(current.version)}</h2>
          <p className="text-soft wrap-anywhere">
            {current.created_at ? (
              <>
                {texts.since} <When at={current.created_at} isExact />. {current.reason}
              </>
            ) : (
              texts.shipped
            )}
          </p>
        </div>
        <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
          <PriceCurves prices={current.prices} />
          <PriceGrid prices={current.prices} />
        </div>
      </Card>
      <h2>{texts.history}</h2>
      <DataTable
        caption={texts.history}
        columns={columns}
        rows={rows}
        keyOf={({ version }) => String(version)}
        empty=""
      />
    </>
  )
}

type Row = PriceVersion & { isCurrent: boolean; changes: number }

const columns: Column<Row>[] = [
  {
    title: texts.columns.version,
    show: ({ version, isCurrent }) => (
      <span className="inline-flex items-center gap-2 font-semibold">
        {version} {isCurrent ? <Badge tone="good">{texts.current}</Badge> : null}
      </span>
    ),
  },
  {
    title: texts.columns.at,
    show: ({ created_at }) => (created_at ? <When at={created_at} /> : texts.fromStart),
  },
  { title: texts.columns.why, isLong: true, show: ({ reason }) => reason ?? texts.shipped },
  { title: texts.who, show: ({ actor_id }) => <Author id={actor_id} /> },
  {
    title: texts.columns.changes,
    isAtEnd: true,
    show: ({ version, changes }) => (version === 0 ? '' : texts.changed(changes)),
  },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: ({ version }) => (
      <Link
        to="/admin/prices/new"
        search={{ from: String(version) } as never}
        className={buttonLook('quiet')}
      >
        {texts.again}
        <span className="sr-only">: {version}</span>
      </Link>
    ),
  },
]

const Author = ({ id }: { id: string | null }) =>
  id ? (
    <Link to="/admin/users/$id" params={{ id }} className="text-main underline">
      {texts.someone}
    </Link>
  ) : null
