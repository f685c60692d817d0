import { useQuery } from '@tanstack/react-query'
import { recordsQuery } from '../../../api/records.ts'
import { Badge } from '../../../design/badge.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { Alert, ErrorOf } from '../../../design/feedback.tsx'
import { isPayment, titleOf } from '../../../records/names.ts'
import { partsOf } from '../../../records/parts.ts'
import type { Transfer } from './queries.ts'
import { texts } from './texts.ts'

const contentsTexts = texts.contents

/** Keeps both ends, which people compare. */
const shortened = (text: string): string =>
  text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-8)}` : text

type Props = { transfer: Pick<Transfer, 'eid' | 'clear_on_transfer'> }

/** The records that come with an id. */
export const TransferRecords = ({ transfer: { eid, clear_on_transfer } }: Props) =>
  clear_on_transfer ? <Badge>{contentsTexts.empty}</Badge> : <Records eid={eid} />

function Records({ eid }: { eid: string }) {
  const { data: records, error } = useQuery(recordsQuery(eid))
  if (error) return <ErrorOf thrown={error} />
  if (!records) return null
  const addresses = records.filter(isPayment)
  return (
    <div className="grid max-w-72 justify-items-start gap-1.5 text-sm">
      <Badge>{contentsTexts.full(records.length)}</Badge>
      {addresses.length > 0 ? (
        <>
          <ul aria-label={contentsTexts.addresses} className="grid gap-1">
            {addresses.map((record) => (
              <li key={record.hash} className="wrap-anywhere">
                {titleOf(record)}{' '}
                <span className="font-mono">{shortened(partsOf(record).text)}</span>
              </li>
            ))}
          </ul>
          <p className="text-soft">{contentsTexts.check}</p>
        </>
      ) : null}
    </div>
  )
}

/** The recipient of a minted id confirms that its token does not come along. */
export const TokenStays = () => (
  <div className="grid gap-2">
    <Alert>{texts.token.stays}</Alert>
    <Checkbox name="without_token" required label={texts.token.confirm} />
  </div>
)
