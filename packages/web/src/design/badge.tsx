import type { ReactNode } from 'react'

const tones = {
  plain: 'border-hair bg-tint text-ink',
  good: 'border-transparent bg-good-ground text-good',
  wrong: 'border-transparent bg-wrong-ground text-wrong',
  main: 'border-transparent bg-main text-on-main',
}
export type Tone = keyof typeof tones

/** A state in a word. The color only repeats the word. */
export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={`inline-flex items-center rounded-full border px-2.5 py-0.5 text-sm font-medium whitespace-nowrap ${tones[tone]}`}
  >
    {children}
  </span>
)
