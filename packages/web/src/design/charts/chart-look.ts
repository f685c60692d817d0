/** The look of all charts, from the colours of the design. */
export const axisLook = {
  stroke: 'var(--color-soft)',
  tickLine: false,
  fontSize: 12,
} as const

export const chartSize = { width: '100%', height: 180 } as const

export const tooltipLook = {
  contentStyle: {
    background: 'var(--color-card)',
    border: '1px solid var(--color-line)',
    borderRadius: '0.75rem',
  },
  itemStyle: { color: 'var(--color-ink)' },
  labelStyle: { color: 'var(--color-soft)' },
  cursor: { fill: 'var(--color-tint)', stroke: 'var(--color-line)' },
  isAnimationActive: false,
  separator: ': ',
} as const
