import { textLengths } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '../../../api/account.ts'
import { Button } from '../../../design/button.tsx'
import { Checkbox, Radio } from '../../../design/choice.tsx'
import { Alert, ErrorOf } from '../../../design/feedback.tsx'
import { Field, Select, valueIn } from '../../../design/field.tsx'
import { useAction } from '../../../design/use-action.ts'
import { useFormDraft, useSessionDraft } from '../../../design/use-session-draft.ts'
import { reservedScopes } from '../../../generated/scopes.ts'
import { dayMs } from '../../../time.ts'
import { createApiKey, type NewApiKey, type Scope } from './queries.ts'
import { scopeTexts } from './scope-texts.ts'
import { texts } from './texts.ts'

const formTexts = texts.api.form

const lifetimes = [
  { value: '', text: formTexts.never },
  ...[30, 90, 365].map((days) => ({ value: String(days), text: formTexts.days(days) })),
]
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString()

type Account = { global_scopes: Scope[]; organization_scopes: Record<string, Scope[]> }
/** All permissions of the account, including those in its organizations. */
const heldBy = ({ global_scopes, organization_scopes }: Account): Scope[] => [
  ...global_scopes,
  ...Object.values(organization_scopes).flat(),
  // Every account may give these to a key.
  'webhook:read',
  'webhook:write',
]

type Props = { onMade: (key: NewApiKey) => void; onCancel: () => void }
type KeyInput = { name: string; days: string; scopes: Scope[] | undefined }

export function NewKeyForm({ onMade, onCancel }: Props) {
  const { data: account } = useQuery(accountQuery)
  const [isAll, setAll] = useSessionDraft('api key all', false)
  const [scopes, setScopes] = useSessionDraft<Scope[]>('api key scopes', [])
  const chosenScopes: ReadonlySet<Scope> = new Set(scopes)
  const draft = useFormDraft('api key', ['name', 'days'])
  const clear = () => {
    setAll(false)
    setScopes([])
    draft.clear()
  }
  const [isEmpty, setEmpty] = useState(false)
  const createMutation = useAction({
    mutationFn: ({ name, days, scopes }: KeyInput) => {
      const expiry = days ? { expires_at: inDays(Number(days)) } : {}
      return createApiKey({ name, ...expiry, ...(scopes ? { scopes } : {}) })
    },
    onSuccess: (key) => {
      clear()
      onMade(key)
    },
  })
  return (
    <form
      {...draft.form}
      aria-label={formTexts.title}
      className="grid gap-5 rounded-field border border-hair p-4"
      onSubmit={(event) => {
        event.preventDefault()
        setEmpty(!isAll && chosenScopes.size === 0)
        if (!isAll && chosenScopes.size === 0) return
        const form = event.currentTarget
        const [name, days] = [valueIn(form, 'name'), valueIn(form, 'days')]
        createMutation.mutate({ name, days, scopes: isAll ? undefined : [...chosenScopes] })
      }}
    >
      <h3 className="font-semibold">{formTexts.title}</h3>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={formTexts.name}
          hint={formTexts.nameHint}
          name="name"
          {...textLengths.name}
          required
          autoFocus
          autoComplete="off"
        />
        <Select label={formTexts.expires} name="days" options={lifetimes} />
      </div>
      <fieldset className="grid gap-1">
        <legend className="font-semibold">{formTexts.legend}</legend>
        <Radio
          name="which"
          label={formTexts.some}
          checked={!isAll}
          onChange={() => setAll(false)}
        />
        <Radio
          name="which"
          label={formTexts.all}
          hint={formTexts.allHint}
          checked={isAll}
          onChange={() => setAll(true)}
        />
      </fieldset>
      {isAll ? null : (
        <ScopeChoice
          mine={account ? heldBy(account) : []}
          chosenScopes={chosenScopes}
          onChange={(next) => {
            setScopes([...next])
            setEmpty(false)
          }}
        />
      )}
      {isEmpty ? <Alert>{formTexts.none}</Alert> : null}
      <ErrorOf thrown={createMutation.error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={createMutation.isPending}>
          {formTexts.make}
        </Button>
        <Button
          look="second"
          disabled={createMutation.isPending}
          onClick={() => {
            clear()
            onCancel()
          }}
        >
          {formTexts.cancel}
        </Button>
      </div>
    </form>
  )
}

const reserved: readonly Scope[] = reservedScopes

type ScopeChoiceProps = {
  mine: readonly Scope[]
  chosenScopes: ReadonlySet<Scope>
  onChange: (chosenScopes: ReadonlySet<Scope>) => void
}

/** The permissions of the account by topic: a key cannot exceed its creator. */
function ScopeChoice({ mine, chosenScopes, onChange }: ScopeChoiceProps) {
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
