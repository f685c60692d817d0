import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '../../../api/account.ts'
import { Button } from '../../../design/button.tsx'
import { Radio } from '../../../design/choice.tsx'
import { Alert, ErrorOf } from '../../../design/feedback.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { Select } from '../../../design/select.tsx'
import { useAction } from '../../../design/use-action.ts'
import { useFormDraft, useSessionDraft } from '../../../design/use-session-draft.ts'
import { dayMs } from '../../../time.ts'
import { createApiKey, type NewApiKey } from './queries.ts'
import { ScopeChoice } from './scope-choice.tsx'
import type { Scope } from './scopes.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.api.form

const lifetimes = [
  { value: '', text: texts.never },
  ...[30, 90, 365].map((days) => ({ value: String(days), text: texts.days(days) })),
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
      aria-label={texts.title}
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
      <h3 className="font-semibold">{texts.title}</h3>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={texts.name}
          hint={texts.nameHint}
          name="name"
          maxLength={100}
          required
          autoFocus
          autoComplete="off"
        />
        <Select label={texts.expires} name="days" options={lifetimes} />
      </div>
      <fieldset className="grid gap-1">
        <legend className="font-semibold">{texts.legend}</legend>
        <Radio name="which" label={texts.some} checked={!isAll} onChange={() => setAll(false)} />
        <Radio
          name="which"
          label={texts.all}
          hint={texts.allHint}
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
      {isEmpty ? <Alert>{texts.none}</Alert> : null}
      <ErrorOf thrown={createMutation.error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={createMutation.isPending}>
          {texts.make}
        </Button>
        <Button
          look="second"
          disabled={createMutation.isPending}
          onClick={() => {
            clear()
            onCancel()
          }}
        >
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}
