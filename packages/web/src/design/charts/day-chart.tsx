import { language } from '../../language.ts'
import { Chart } from './chart.tsx'
import { countScale } from './scale.ts'

type Props = {
  /** Describes the chart to screen readers. */
  label: string
  unit: string
  days: readonly { day: string; count: number; second?: number }[]
  /** The name of the second bar of a day, if days have two. */
  secondUnit?: string
}

/** One bar per day, or two. */
export function DayChart({ label, unit, days, secondUnit }: Props) {
  const first = { name: unit, color: 'var(--color-main)' }
  const series = secondUnit ? [first, { name: secondUnit, color: 'var(--color-good)' }] : [first]
  const points = days.map(({ day, count, second = 0 }) => ({
    tick: day.slice(5),
    title: day,
    values: secondUnit ? [count, second] : [count],
  }))
  return (
    <Chart
      label={label}
      shape="bars"
      series={series}
      points={points}
      scale={countScale(Math.max(0, ...points.flatMap(({ values }) => values)))}
      show={(count) => count.toLocaleString(language)}
    />
  )
}
