/** Phrases that letters of several features share. */
export const serviceName = 'Emoji Id Directory'
export const ignoreIt = 'If you didn’t ask for this, you can ignore this email.'
export const nothingToDo = 'You don’t need to do anything.'
export const notMe = 'This wasn’t me'
export const objectAt = (appeals: string): string => `If you disagree, write to ${appeals}.`

export const inDollars = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

export function inWords(minutes: number): string {
  const [count, unit] = minutes >= 120 ? [Math.round(minutes / 60), 'hour'] : [minutes, 'minute']
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
