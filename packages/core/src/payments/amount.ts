/** Amounts are decimal texts from end to end: floating point would lose money. */
export type DecimalAmount = string

/** The amount without redundant zeros; throws `AmountError` unless it is a positive decimal. */
export function checkAmount(amount: DecimalAmount, decimals: number): DecimalAmount {
  const parts = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(amount)
  if (!parts) throw new AmountError('An amount must be a decimal number such as 0.25.')
  const whole = (parts[1] as string).replace(/^0+(?=\d)/, '')
  const fraction = (parts[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals)
    throw new AmountError(`This currency has at most ${decimals} decimal places.`, decimals)
  if (whole === '0' && fraction === '') throw new AmountError('The amount must be more than zero.')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** The amount in the smallest unit of the currency, as digits. */
export function inSmallestUnits(amount: DecimalAmount, decimals: number): string {
  const [whole = '', fraction = ''] = checkAmount(amount, decimals).split('.')
  return (whole + fraction.padEnd(decimals, '0')).replace(/^0+(?=\d)/, '')
}

export class AmountError extends Error {
  override readonly name = 'AmountError'
  /** The decimal places of the currency, if the amount has more. */
  readonly decimals: number | undefined

  constructor(message: string, decimals?: number) {
    super(message)
    this.decimals = decimals
  }
}
