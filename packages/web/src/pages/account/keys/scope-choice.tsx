import { Checkbox } from '../../../design/choice.tsx'
import { type Scope, scopeGroups } from '../../../texts/scopes.ts'

type Props = {
  mine: readonly Scope[]
  chosen: ReadonlySet<Scope>
  onChange: (chosen: ReadonlySet<Scope>) => void
}

/** What somebody may do themselves, by subject: a key never exceeds its maker. */
export function ScopeChoice({ mine, chosen, onChange }: Props) {
  const toggle = (scope: Scope, isOn: boolean) => {
    const next = new Set(chosen)
    if (isOn) next.add(scope)
    else next.delete(scope)
    onChange(next)
  }
  return (
    <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      {scopeGroups.map(({ title, words }) => {
        const offered = (Object.keys(words) as Scope[]).filter((scope) => mine.includes(scope))
        return offered.length === 0 ? null : (
          <fieldset key={title} className="grid content-start">
            <legend className="text-sm font-semibold text-soft">{title}</legend>
            {offered.map((scope) => (
              <Checkbox
                key={scope}
                label={words[scope] ?? scope}
                checked={chosen.has(scope)}
                onChange={({ currentTarget }) => toggle(scope, currentTarget.checked)}
              />
            ))}
          </fieldset>
        )
      })}
    </div>
  )
}
