import { paymentUri } from '@emojid/core'
import { useState } from 'react'
import type { Order } from '../../api/shop.ts'
import { buttonLook } from '../../design/button.tsx'
import { CopyButton } from '../../design/copy-button.tsx'
import { QrCode } from '../../design/qr-code.tsx'
import { Waiting } from '../../design/waiting.tsx'
import { texts } from './texts.ts'

type Data = NonNullable<Order['payment_method_data']>

/** The address and amount in the chosen currency. */
export function CryptoPayment({ data }: { data: Data }) {
  const [chosenPlace, setChosenPlace] = useState(0)
  const method = data.methods[chosenPlace] ?? data.methods[0]
  return (
    <section className="grid gap-4 border-t border-hair pt-4">
      <h3 className="text-lg font-bold tracking-tight">{texts.cryptoTitle}</h3>
      <p className="text-soft">{texts.cryptoText}</p>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-semibold">{texts.currency}</legend>
        {data.methods.map(({ title }, nth) => (
          <label key={title} className="flex min-h-9 items-center gap-3">
            <input
              type="radio"
              name="currency"
              className="size-5 accent-main"
              checked={method === data.methods[nth]}
              onChange={() => setChosenPlace(nth)}
            />
            {title}
          </label>
        ))}
      </fieldset>
      {method ? <Destination method={method} /> : null}
      <p className="text-sm text-soft">{texts.cryptoRefunds}</p>
      {data.checkout_url ? (
        <a
          href={data.checkout_url}
          target="_blank"
          rel="noreferrer"
          className={`${buttonLook('quiet')} -ml-3 justify-self-start`}
        >
          {texts.invoice}
        </a>
      ) : null}
      <Waiting text={texts.waitingForCrypto} />
    </section>
  )
}

function Destination({ method }: { method: CryptoMethod }) {
  const link = walletLink(method)
  const amount = amountText(method.amount)
  return (
    <div className="grid gap-4">
      <QrCode text={link ?? method.address} label={texts.qr(method.title)} />
      <dl className="grid gap-3">
        <div>
          <dt className="font-semibold">{texts.amount}</dt>
          <dd className="tabular-nums">
            {amount} {method.currency}
          </dd>
        </div>
        <div>
          <dt className="font-semibold">{texts.address}</dt>
          <dd className="font-mono text-sm wrap-anywhere">{method.address}</dd>
        </div>
      </dl>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={method.address} label={texts.copyAddress} />
        <CopyButton text={amount} label={texts.copyAmount} />
        {link ? (
          <a href={link} className={buttonLook('second')}>
            {texts.openWallet}
          </a>
        ) : null}
      </div>
    </div>
  )
}

type CryptoMethod = { address: string; amount: number; currency: string; title: string }

/** Without an exponent, which wallets do not parse. */
const amountText = (amount: number): string =>
  amount.toLocaleString('en-US', { maximumFractionDigits: 12, useGrouping: false })

/** A link that opens a wallet with the payment filled in; undefined if the currency has none. */
function walletLink({ address, amount, currency }: CryptoMethod): string | undefined {
  if (/^ln[a-z0-9]+$/i.test(address)) return `lightning:${address}`
  try {
    return paymentUri({ ticker: currency, address, amount: amountText(amount) })
  } catch {
    return undefined
  }
}
