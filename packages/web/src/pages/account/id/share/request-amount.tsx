import { AmountError, paymentAddresses, paymentUri, type Tag, tagInfo } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { recordsQuery, type StoredRecord } from '../../../../api/records.ts'
import { CopyButton } from '../../../../design/copy-button.tsx'
import { Card } from '../../../../design/feedback.tsx'
import { Field } from '../../../../design/field.tsx'
import { QrCode } from '../../../../design/qr-code.tsx'
import { Select } from '../../../../design/select.tsx'
import { useSessionDraft } from '../../../../design/use-session-draft.ts'
import { texts as pageTexts } from './texts.ts'

const { request: texts } = pageTexts

type Way = { key: string; ticker: string; address: string; network?: string }

/** More than any person pays; a typing error. */
const amountAtMost = 1e12

type AmountRequest = { uri: string } | { why: string }

/** The link that requests an amount; undefined if the currency has no standard. */
function requestOf({ ticker, address, network }: Way, amount: string): AmountRequest | undefined {
  if (Number(amount) >= amountAtMost) return { why: texts.wrongAmount }
  try {
    const uri = paymentUri({ ticker, address, amount, ...(network ? { network } : {}) })
    return uri === undefined ? undefined : { uri }
  } catch (error) {
    if (!(error instanceof AmountError)) return undefined
    return { why: error.decimals ? texts.tooPrecise(error.decimals) : texts.wrongAmount }
  }
}

/** The payment addresses whose wallets read an amount, as payers find them. */
const waysIn = (records: readonly StoredRecord[]): Way[] =>
  Object.values(paymentAddresses(records.map(({ tag, ...rest }) => ({ ...rest, tag: tag as Tag }))))
    .map(({ address, category, short_name, settlement_network }) => {
      const ticker = short_name ?? tagInfo(category)?.ticker ?? ''
      const network = settlement_network ?? undefined
      return { key: `${ticker} ${network ?? ''}`, ticker, address, ...(network ? { network } : {}) }
    })
    .filter((way) => requestOf(way, '1') !== undefined)

/** A payment request with an amount, as a code and a link. */
export function RequestAmount({ id }: { id: string }) {
  const { data } = useQuery(recordsQuery(id))
  const ways = data ? waysIn(data) : []
  const [key, setKey] = useSessionDraft(`request currency ${id}`, '')
  const [amount, setAmount] = useSessionDraft(`request amount ${id}`, '')
  const way = ways.find((one) => one.key === key) ?? ways[0]
  const request = way && amount.trim() !== '' ? requestOf(way, amount.trim()) : undefined
  const uri = request && 'uri' in request ? request.uri : undefined
  return (
    <Card className="grid gap-4">
      <div>
        <h2>{texts.title}</h2>
        <p className="text-soft">{way || !data ? texts.text : texts.none}</p>
      </div>
      {way ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label={texts.currency}
            value={way.key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
            options={ways.map((one) => ({ value: one.key, text: one.key.trim() }))}
          />
          <Field
            label={texts.amount}
            hint={texts.amountHint}
            inputMode="decimal"
            value={amount}
            problem={request && 'why' in request ? request.why : undefined}
            onChange={({ currentTarget }) => setAmount(currentTarget.value)}
          />
        </div>
      ) : null}
      {way && uri ? (
        <div className="flex flex-wrap items-start gap-5">
          <QrCode text={uri} label={texts.qr(amount.trim(), way.ticker)} />
          <div className="grid min-w-0 flex-1 basis-52 justify-items-start gap-3">
            <p className="wrap-anywhere text-sm">{uri}</p>
            <CopyButton text={uri} label={texts.copy} />
          </div>
        </div>
      ) : null}
    </Card>
  )
}
