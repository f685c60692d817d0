import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { language } from '../../language.ts'
import { countScale, type Scale } from './scale.ts'

type Series = {
  name: string
  color: string
  /** Dashes tell lines apart for people who do not see the colours. */
  dashes?: string
}

export type Point = {
  /** Below the axis. */
  tick: string
  /** Above the values of this point. */
  title: string
  /** One per series; null leaves a gap. */
  values: readonly (number | null)[]
}

type Shape = 'bars' | 'lines' | 'dotted lines'

type Props = {
  /** Describes the chart to screen readers. */
  label: string
  shape: Shape
  series: readonly Series[]
  points: readonly Point[]
  scale: Scale
  show: (value: number) => string
}

/** Labels below the axis, so that they do not touch on a narrow screen. */
const mostLabels = 6

/** The arrow keys and the pointer move from point to point, and their values are read out. */
export function Chart({ label, shape, series, points, scale, show }: Props) {
  const [chosen, setChosen] = useState<number>()
  const point = chosen === undefined ? undefined : points[chosen]
  const moveByKey = (event: KeyboardEvent) => {
    const last = points.length - 1
    const places: Record<string, number> = {
      ArrowRight: Math.min(last, (chosen ?? -1) + 1),
      ArrowLeft: Math.max(0, (chosen ?? 1) - 1),
      Home: 0,
      End: last,
    }
    const place = places[event.key]
    if (place === undefined) return
    event.preventDefault()
    setChosen(place)
  }
  const moveByPointer = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const place = Math.floor(((clientX - left) / width) * points.length)
    setChosen(Math.max(0, Math.min(points.length - 1, place)))
  }
  const hide = () => setChosen(undefined)
  const centre = (nth: number) => `${((nth + 0.5) / points.length) * 100}%`
  const every = Math.ceil(points.length / mostLabels)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read its points.
    <div role="application" aria-label={label} tabIndex={0} onKeyDown={moveByKey} onBlur={hide}>
      <div
        className="grid grid-cols-[max-content_1fr] gap-x-2 text-xs text-soft tabular-nums"
        aria-hidden="true"
      >
        <div className="flex h-36 flex-col-reverse justify-between text-right leading-none">
          {scale.ticks.map((tick) => (
            <span key={tick}>{show(tick)}</span>
          ))}
        </div>
        <div
          className="relative h-36 border-b border-l border-line"
          onPointerMove={moveByPointer}
          onPointerLeave={hide}
        >
          <svg
            aria-hidden="true"
            className="absolute size-full overflow-visible"
            viewBox={`0 0 ${points.length} 1`}
            preserveAspectRatio="none"
          >
            {chosen === undefined ? null : (
              <rect x={chosen} width="1" height="1" fill="var(--color-tint)" />
            )}
            {series.map((one, nth) => (
              <SeriesShape
                key={one.name}
                series={one}
                shape={shape}
                places={points.map(({ values }) => {
                  const value = values[nth] ?? null
                  return value === null ? null : scale.place(value)
                })}
                nth={nth}
                count={series.length}
              />
            ))}
          </svg>
        </div>
        <div className="relative col-start-2 mt-1 h-4">
          {points.map(({ tick }, nth) =>
            nth % every === 0 ? (
              <span key={tick} className="absolute -translate-x-1/2" style={{ left: centre(nth) }}>
                {tick}
              </span>
            ) : null,
          )}
        </div>
      </div>
      <p role="status" className="min-h-10 text-xs">
        {point ? (
          <>
            <span className="block text-soft">{point.title}</span>
            {series
              .map(({ name }, nth) => ({ name, value: point.values[nth] ?? null }))
              .flatMap(({ name, value }) => (value === null ? [] : `${name}: ${show(value)}`))
              .join(', ')}
          </>
        ) : null}
      </p>
    </div>
  )
}

type SeriesProps = {
  series: Series
  shape: Shape
  /** Between 0 (bottom) and 1 (top). */
  places: readonly (number | null)[]
  nth: number
  count: number
}

/** The share of a point's width that stays empty beside its bars. */
const barGap = 0.2

function SeriesShape({ series, shape, places, nth, count }: SeriesProps) {
  if (shape === 'bars') {
    const width = (1 - barGap) / count
    const bars = places.map((place, at) => {
      const left = at + barGap / 2 + nth * width
      return place ? `M${left} 1V${1 - place}h${width}V1` : ''
    })
    return <path d={bars.join('')} fill={series.color} />
  }
  const corners = places.map((place, at) => {
    if (place === null) return ''
    const isJoined = at > 0 && places[at - 1] !== null
    return `${isJoined ? 'L' : 'M'}${at + 0.5} ${1 - place}`
  })
  const dots = corners.map((corner) => (corner ? `${corner.replace('L', 'M')}h0` : ''))
  const line = { fill: 'none', stroke: series.color, vectorEffect: 'non-scaling-stroke' } as const
  return (
    <>
      <path {...line} d={corners.join('')} strokeWidth="2" strokeDasharray={series.dashes} />
      {shape === 'dotted lines' ? (
        <path {...line} d={dots.join('')} strokeWidth="7" strokeLinecap="round" />
      ) : null}
    </>
  )
}

type DayChartProps = {
  /** Describes the chart to screen readers. */
  label: string
  unit: string
  days: readonly { day: string; count: number; second?: number }[]
  /** The name of the second bar of a day, if days have two. */
  secondUnit?: string
}

/** One bar per day, or two. */
export function DayChart({ label, unit, days, secondUnit }: DayChartProps) {
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
