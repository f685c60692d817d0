import { Money, moneyText } from '../../../design/money.tsx'
import type { Books } from './queries.ts'
import { hasReceivedMoney, remainingMoneyOf } from './refundable.ts'
import { texts as pageTexts } from './texts.ts'

const { refund: texts } = pageTexts

/** The refund for items of this price: at most the money left of what was received. */
export function RefundSum({ sum, books }: { sum: number; books: Books }) {
  const rest = remainingMoneyOf(books)
  if (sum > 0 && rest <= 0) {
    return (
      <p className="font-semibold">{hasReceivedMoney(books) ? texts.noneLeft : texts.noneCame}</p>
    )
  }
  return (
    <div>
      <p className="flex justify-between gap-4 font-semibold">
        {texts.sum}
        <Money cents={Math.min(sum, rest)} />
      </p>
      {sum > rest ? <p className="text-sm text-soft">{texts.partLeft(moneyText(sum))}</p> : null}
    </div>
  )
}
