import { language } from '../language.ts'

const exact = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

const steps = [
  { unit: 'minute', seconds: 60 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'day', seconds: 86_400 },
] as const
const monthInSeconds = 30 * 86_400

/** A relative time; beyond a month, the date. */
export function timeInWords(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1_000
  const size = Math.abs(seconds)
  if (size >= monthInSeconds) return day.format(at)
  if (size < 45) return seconds > 5 ? 'in a moment' : 'just now'
  const step = steps.findLast((one) => size >= one.seconds * 0.95) ?? steps[0]
  return relative.format(Math.round(seconds / step.seconds), step.unit)
}

type Props = {
  at: string
  /** Shows the full date and time. */
  isExact?: boolean
}

/** Shows a moment, the same way on all pages. */
export function When({ at, isExact = false }: Props) {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={exact.format(moment)} className={isExact ? '' : 'whitespace-nowrap'}>
      {isExact ? exact.format(moment) : timeInWords(moment, new Date())}
    </time>
  )
}
