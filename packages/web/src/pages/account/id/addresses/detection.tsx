import type { Strength } from '@emojid/core'
import { Button } from '../../../../design/button.tsx'
import { type Currency, currencyTitle } from '../../../../records/currencies.ts'
import type { AddressDetection } from '../../../../records/detect.ts'
import { StrengthLine } from './strength.tsx'
import { texts } from './texts.ts'

const offeredAtMost = 6

type Props = {
  detected: AddressDetection
  /** The detected or chosen currency. */
  currency: Currency | undefined
  /** How well the address is verified; undefined if it does not match the currency. */
  strength: Strength | undefined
  onChoose: (currency: Currency) => void
}

/** The detected currency of an address; asks if it is ambiguous. */
export function Detection({ detected, currency, strength, onChoose }: Props) {
  const { currencies, isTest } = detected
  const others = currency && strength ? [] : currencies.filter((one) => one !== currency)
  return (
    <div className="grid gap-3">
      <div role="status" className="grid gap-1">
        {currency && strength ? (
          <>
            <p className="font-medium">{texts.is(currencyTitle(currency))}</p>
            <StrengthLine strength={strength} />
          </>
        ) : null}
        {!currency && others.length > 0 ? <p className="font-medium">{texts.several}</p> : null}
        {isTest ? <p className="font-medium text-wrong">{texts.test}</p> : null}
      </div>
      {others.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {others.slice(0, offeredAtMost).map((one) => (
            <Button key={one.ticker} look="second" onClick={() => onChoose(one)}>
              {texts.takeFor(currencyTitle(one))}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  )
}
