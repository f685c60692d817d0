import {
  AmountError,
  parseTonedEmojiId,
  paymentAddresses,
  paymentUri,
  spokenNames,
  type Tag,
  tagInfo,
} from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import encodeQr from 'qr'
import { useEffect } from 'react'
import { addresses } from '../../../../api/addresses.ts'
import { recordsQuery, type StoredRecord } from '../../../../api/records.ts'
import { sharedIds } from '../../../../api/shared-ids.ts'
import { Button } from '../../../../design/button.tsx'
import { CopyButton } from '../../../../design/copy-button.tsx'
import { download } from '../../../../design/download.ts'
import { Card } from '../../../../design/feedback.tsx'
import { Field, Select } from '../../../../design/field.tsx'
import { QrCode } from '../../../../design/qr-code.tsx'
import { useSessionDraft } from '../../../../design/use-session-draft.ts'
import { texts } from './texts.ts'

const { link: linkTexts } = texts

/** The link and the codes that an owner gives to payers. */
export function IdSharePage() {
  const { id } = useParams({ from: '/account/ids/$id' })
  const url = `${addresses.web}/${encodeURIComponent(parseTonedEmojiId(id).id)}`
  const name = spokenNames(id).replaceAll(/[^a-z0-9]+/g, '-')
  useEffect(() => sharedIds.note(id), [id])
  return (
    <div className="grid gap-5">
      <Card className="grid gap-4">
        <div>
          <h2>{linkTexts.title}</h2>
          <p className="text-soft">{linkTexts.text}</p>
        </div>
        <div className="flex flex-wrap items-start gap-5">
          <QrCode text={url} label={linkTexts.qr} />
          <div className="grid min-w-0 flex-1 basis-52 justify-items-start gap-3">
            <p className="wrap-anywhere text-sm">{url}</p>
            <CopyButton text={url} label={linkTexts.copy} />
            {'share' in navigator ? (
              // People may close the dialog of their phone.
              <Button look="second" onClick={() => navigator.share({ url }).catch(() => {})}>
                {linkTexts.share}
              </Button>
            ) : null}
            <Button
              look="second"
              onClick={async () => download(await qrPng(url), `${name}.png`, 'image/png')}
            >
              {linkTexts.png}
            </Button>
            <Button
              look="second"
              onClick={() => download(qrSvg(url), `${name}.svg`, 'image/svg+xml')}
            >
              {linkTexts.svg}
            </Button>
          </div>
        </div>
      </Card>
      <RequestAmount id={id} />
    </div>
  )
}

const { request: requestTexts } = texts

type Way = { key: string; ticker: string; address: string; network?: string }

/** More than any person pays; a typing error. */
const amountAtMost = 1e12

type AmountRequest = { uri: string } | { why: string }

/** The link that requests an amount; undefined if the currency has no standard. */
function requestOf({ ticker, address, network }: Way, amount: string): AmountRequest | undefined {
  if (Number(amount) >= amountAtMost) return { why: requestTexts.wrongAmount }
  try {
    const uri = paymentUri({ ticker, address, amount, ...(network ? { network } : {}) })
    return uri === undefined ? undefined : { uri }
  } catch (error) {
    if (!(error instanceof AmountError)) return undefined
    return {
      why: error.decimals ? requestTexts.tooPrecise(error.decimals) : requestTexts.wrongAmount,
    }
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
function RequestAmount({ id }: { id: string }) {
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
        <h2>{requestTexts.title}</h2>
        <p className="text-soft">{way || !data ? requestTexts.text : requestTexts.none}</p>
      </div>
      {way ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label={requestTexts.currency}
            value={way.key}
            onChange={({ currentTarget }) => setKey(currentTarget.value)}
            options={ways.map((one) => ({ value: one.key, text: one.key.trim() }))}
          />
          <Field
            label={requestTexts.amount}
            hint={requestTexts.amountHint}
            inputMode="decimal"
            value={amount}
            problem={request && 'why' in request ? request.why : undefined}
            onChange={({ currentTarget }) => setAmount(currentTarget.value)}
          />
        </div>
      ) : null}
      {way && uri ? (
        <div className="flex flex-wrap items-start gap-5">
          <QrCode text={uri} label={requestTexts.qr(amount.trim(), way.ticker)} />
          <div className="grid min-w-0 flex-1 basis-52 justify-items-start gap-3">
            <p className="wrap-anywhere text-sm">{uri}</p>
            <CopyButton text={uri} label={requestTexts.copy} />
          </div>
        </div>
      ) : null}
    </Card>
  )
}

const border = 4
const pixelsPerModule = 16

const rowsOf = (text: string): boolean[][] =>
  encodeQr(text, 'raw', { ecc: 'medium', border }) as boolean[][]

/** A code as an SVG file: black on white, with the quiet zone that cameras need. */
function qrSvg(text: string): string {
  const rows = rowsOf(text)
  const path = rows.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  )
  const size = rows.length
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path.join('')}"/></svg>`
}

/** A code as a PNG file, large enough to print. */
async function qrPng(text: string): Promise<Blob> {
  const rows = rowsOf(text)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = rows.length * pixelsPerModule
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new Error('This browser cannot draw.')
  drawing.fillStyle = '#fff'
  drawing.fillRect(0, 0, canvas.width, canvas.height)
  drawing.fillStyle = '#000'
  for (const [y, row] of rows.entries())
    for (const [x, isDark] of row.entries())
      if (isDark)
        drawing.fillRect(x * pixelsPerModule, y * pixelsPerModule, pixelsPerModule, pixelsPerModule)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture.'))), 'image/png')
  })
}
