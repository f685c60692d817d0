import type { ReactNode } from 'react'

type Fact = { name: string; value: ReactNode }

/** A list of named facts. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-[minmax(9rem,auto)_1fr]">
    {facts.map(({ name, value }) => (
      <div key={name} className="grid gap-0.5 sm:contents">
        <dt className="text-sm text-soft sm:text-base">{name}</dt>
        <dd className="min-w-0 wrap-anywhere">{value}</dd>
      </div>
    ))}
  </dl>
)

/** Machine-made names in a monospace font. */
export const Mono = ({ children }: { children: ReactNode }) => (
  <span className="font-mono text-sm wrap-anywhere">{children}</span>
)
