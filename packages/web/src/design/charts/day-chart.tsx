import { Bar, BarChart, Tooltip, XAxis, YAxis } from 'recharts'
import { axisLook, chartSize, tooltipLook } from './chart-look.ts'

type Props = {
  /** Describes the chart to screen readers. */
  label: string
  unit: string
  days: readonly { day: string; count: number; second?: number }[]
  /** The name of the second bar of a day, if days have two. */
  secondUnit?: string
}

/** One bar per day. The arrow keys move from day to day. */
export const DayChart = ({ label, unit, days, secondUnit }: Props) => (
  <BarChart responsive style={chartSize} data={[...days]} aria-label={label}>
    <XAxis
      {...axisLook}
      dataKey="day"
      tickFormatter={(day) => String(day).slice(5)}
      minTickGap={24}
    />
    <YAxis {...axisLook} allowDecimals={false} width={40} />
    <Tooltip {...tooltipLook} />
    <Bar dataKey="count" name={unit} fill="var(--color-main)" isAnimationActive={false} />
    {secondUnit ? (
      <Bar dataKey="second" name={secondUnit} fill="var(--color-good)" isAnimationActive={false} />
    ) : null}
  </BarChart>
)
