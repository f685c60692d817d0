import { useEffect, useState } from 'react'
import { texts } from './texts.ts'
import { shownTime, spokenTime } from './time-left.ts'

type Props = {
  /** The time left at the last response. */
  seconds: number
  askedAt: number
  onEnd: () => void
}

const secondsLeft = ({ seconds, askedAt }: Omit<Props, 'onEnd'>): number =>
  Math.max(0, Math.ceil(seconds - (Date.now() - askedAt) / 1_000))

/** Counts elapsed time instead of reading the clock of the device, which may be wrong. */
export function Countdown({ seconds, askedAt, onEnd }: Props) {
  const [remainingSeconds, setRemainingSeconds] = useState(() => secondsLeft({ seconds, askedAt }))
  useEffect(() => {
    const tick = () => setRemainingSeconds(secondsLeft({ seconds, askedAt }))
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [seconds, askedAt])
  const isOver = remainingSeconds === 0
  useEffect(() => {
    if (isOver) onEnd()
  }, [isOver, onEnd])
  const look =
    remainingSeconds <= 60 ? 'bg-wrong-ground text-wrong' : 'border border-hair bg-card text-ink'
  return (
    <div>
      <p
        className={`inline-flex items-baseline gap-2 rounded-full px-4 py-1.5 font-medium ${look}`}
      >
        {texts.heldFor}
        <span role="timer" className="text-lg font-bold tabular-nums">
          {shownTime(remainingSeconds)}
        </span>
      </p>
      <p role="status" className="sr-only">
        {spokenTime(remainingSeconds)}
      </p>
    </div>
  )
}
