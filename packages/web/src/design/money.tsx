const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** The one way to show money. */
export const Money = ({ cents }: { cents: number }) => (
  <span className="tabular-nums">{dollars.format(cents / 100)}</span>
)
