const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Money within a sentence. */
export const moneyText = (cents: number): string => dollars.format(cents / 100)

/** The one way to show money. */
export const Money = ({ cents }: { cents: number }) => (
  <span className="tabular-nums">{moneyText(cents)}</span>
)
