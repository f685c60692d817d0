import { texts } from './texts.ts'

/** The seconds at which screen readers announce the time left. */
const moments = [10, 30, 60, 120, 300]

const inWords = (seconds: number): string =>
  seconds % 60 === 0 ? texts.minutes(seconds / 60) : texts.seconds(seconds)

/** The announced sentence; changes only at these moments. */
export function spokenTime(remainingSeconds: number): string {
  const moment = moments.find((seconds) => remainingSeconds <= seconds)
  return moment === undefined
    ? texts.heldMore(inWords(Math.ceil(remainingSeconds / 300) * 300))
    : texts.heldEnds(inWords(moment))
}

export function shownTime(remainingSeconds: number): string {
  const [hours, minutes] = [
    Math.floor(remainingSeconds / 3_600),
    Math.floor(remainingSeconds / 60) % 60,
  ]
  const seconds = String(remainingSeconds % 60).padStart(2, '0')
  return hours === 0
    ? `${minutes}:${seconds}`
    : `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`
}
