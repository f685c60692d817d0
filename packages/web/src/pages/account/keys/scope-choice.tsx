import { Checkbox } from '../../../design/choice.tsx'
import { reservedScopes } from '../../../generated/scopes.ts'
import { scopeTexts } from './scope-texts.ts'
import type { Scope } from './scopes.ts'
import { texts } from './texts.ts'

const reserved: readonly Scope[] = reservedScopes

type Props = {
  mine: readonly Scope[]
  chosenScopes: ReadonlySet<Scope>
  onChange: (chosenScopes: ReadonlySet<Scope>) => void
}

/** The permissions of the account by topic: a key cannot exceed its creator. */
export function ScopeChoice({ mine, chosenScopes, onChange }: Props) {
  const toggle = (scope: Scope, isOn: boolean) => {
    const next = new Set(chosenScopes)
    if (isOn) next.add(scope)
    else next.delete(scope)
    onChange(next)
  }
  const groups = [
    ...scopeTexts.map(({ title, words }) => ({
      title,
      offered: (Object.keys(words) as Scope[])
        .filter((scope) => mine.includes(scope) && !reserved.includes(scope))
        .map((scope) => ({ scope, label: words[scope] ?? scope, hint: undefined })),
    })),
    {
      title: texts.reserved.title,
      offered: reserved
        .filter((scope) => mine.includes(scope))
        .map((scope) => ({ scope, label: scope, hint: texts.reserved.text })),
    },
  ]
  return (
    <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      {groups.map(({ title, offered }) =>
        offered.length === 0 ? null : (
          <fieldset key={title} className="grid content-start">
            <legend className="text-sm font-semibold text-soft">{title}</legend>
            {offered.map(({ scope, label, hint }) => (
              <Checkbox
                key={scope}
                label={label}
                hint={hint}
                checked={chosenScopes.has(scope)}
                onChange={({ currentTarget }) => toggle(scope, currentTarget.checked)}
              />
            ))}
          </fieldset>
        ),
      )}
    </div>
  )
}
