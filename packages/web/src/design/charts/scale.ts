/** Places values between 0 (bottom) and 1 (top), with round values to label. */
export type Scale = { ticks: readonly number[]; place(value: number): number }

const mostTicks = 5

/** From 0 to the highest value, in whole steps of 1, 2 or 5 times a power of ten. */
export function countScale(highest: number): Scale {
  const smallest = highest / mostTicks
  const power = 10 ** Math.max(0, Math.floor(Math.log10(smallest)))
  const step = [1, 2, 5, 10].map((times) => times * power).find((one) => one >= smallest) ?? 1
  const count = Math.max(1, Math.ceil(highest / step))
  const ticks = Array.from({ length: count + 1 }, (_, nth) => nth * step)
  return { ticks, place: (value) => value / (count * step) }
}

/** For values of several powers of ten: equal factors are equal distances. */
export function powerScale(values: readonly number[]): Scale {
  const powers = values.filter((value) => value > 0).map(Math.log10)
  if (powers.length === 0) return countScale(0)
  const lowest = Math.floor(Math.min(...powers))
  const highest = Math.max(lowest + 1, Math.ceil(Math.max(...powers)))
  const ticks = Array.from({ length: highest - lowest + 1 }, (_, nth) => 10 ** (lowest + nth))
  return {
    ticks,
    // Nothing is below the bottom: 0 has no place on this scale.
    place: (value) => Math.max(0, (Math.log10(value) - lowest) / (highest - lowest)),
  }
}
