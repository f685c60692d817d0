/** Stripe counts in seconds. */
export const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1_000)

export const timeOf = (seconds: number): Date => new Date(seconds * 1_000)
