import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { CopyButton } from '../../../design/copy-button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { Part } from '../../../design/section.tsx'
import { ShownText } from '../../../design/shown-text.tsx'
import { useSessionDraft } from '../../../design/use-session-draft.ts'
import { NewKeyForm } from './new-key-form.tsx'
import { type ApiKey, apiKeysQuery, deleteApiKey, type NewApiKey } from './queries.ts'
import { scopeInWords } from './scope-texts.ts'
import { texts } from './texts.ts'

const apiTexts = texts.api

const refresh = () => void queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })

export function ApiKeys() {
  const { data, error } = useQuery(apiKeysQuery)
  const [isMaking, setMaking] = useSessionDraft('api key form', false)
  const [newKey, setNewKey] = useState<NewApiKey>()
  const [removing, setRemoving] = useState<ApiKey>()
  return (
    <Part
      title={apiTexts.title}
      text={apiTexts.text}
      actions={
        isMaking || newKey ? null : <Button onClick={() => setMaking(true)}>{apiTexts.make}</Button>
      }
    >
      {isMaking ? (
        <NewKeyForm
          onMade={(key) => {
            setMaking(false)
            setNewKey(key)
            refresh()
          }}
          onCancel={() => setMaking(false)}
        />
      ) : null}
      {newKey ? <NewKeyValue value={newKey.api_key} onDone={() => setNewKey(undefined)} /> : null}
      {data?.length === 0 ? (
        <p>{apiTexts.none}</p>
      ) : (
        <DataTable
          caption={apiTexts.caption}
          columns={columnsWith(setRemoving)}
          rows={data}
          keyOf={({ id }) => id}
          error={error}
          empty={apiTexts.none}
        />
      )}
      {removing ? (
        <ConfirmDialog
          title={apiTexts.confirm.title(removing.name)}
          text={apiTexts.confirm.text}
          action={apiTexts.confirm.action}
          isDangerous
          run={() => deleteApiKey(removing.id)}
          onDone={() => {
            announce(apiTexts.confirm.done)
            refresh()
          }}
          onClose={() => setRemoving(undefined)}
        />
      ) : null}
    </Part>
  )
}

const columnsWith = (onRemove: (key: ApiKey) => void): Column<ApiKey>[] => [
  {
    title: apiTexts.columns.name,
    show: ({ name, api_key }) => (
      <span className="grid gap-0.5">
        <span className="font-semibold wrap-anywhere">{name}</span>
        <span className="font-mono text-sm text-soft">{api_key}</span>
      </span>
    ),
  },
  { title: apiTexts.columns.may, show: ({ scopes }) => <Permissions scopes={scopes} /> },
  { title: apiTexts.columns.made, show: ({ created_at }) => <When at={created_at} /> },
  { title: apiTexts.columns.expires, show: ({ expires_at }) => <Expiry at={expires_at} /> },
  { title: apiTexts.columns.used, show: (key) => <LastUse {...key} /> },
  {
    title: apiTexts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: (key) => (
      <Button look="second" onClick={() => onRemove(key)}>
        {apiTexts.remove}
        <span className="sr-only">: {key.name}</span>
      </Button>
    ),
  },
]

const Permissions = ({ scopes }: Pick<ApiKey, 'scopes'>) => (
  <details>
    <summary className="min-h-6 cursor-pointer font-medium text-main underline underline-offset-4">
      {apiTexts.may(scopes.length)}
    </summary>
    <ul className="mt-2 grid list-disc gap-1 pl-5 text-left text-sm">
      {scopes.map((scope) => (
        <li key={scope}>{scopeInWords(scope)}</li>
      ))}
    </ul>
  </details>
)

const LastUse = ({ last_used_at, last_used_network, last_used_agent }: ApiKey) =>
  last_used_at ? (
    <span className="grid gap-0.5">
      <When at={last_used_at} />
      {last_used_network ? (
        <span className="text-sm text-soft">{apiTexts.usedFrom(last_used_network)}</span>
      ) : null}
      {last_used_agent ? (
        <span className="text-sm wrap-anywhere text-soft">{last_used_agent}</span>
      ) : null}
    </span>
  ) : (
    apiTexts.unused
  )

function Expiry({ at }: { at: string | null }) {
  if (at === null) return apiTexts.never
  return new Date(at) < new Date() ? (
    <Badge tone="wrong">{apiTexts.expired}</Badge>
  ) : (
    <When at={at} />
  )
}

const madeTexts = texts.api.made

/** Shows the full key, which exists only in the memory of this page. */
function NewKeyValue({ value, onDone }: { value: string; onDone: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  // The form that had the focus is unmounted.
  useEffect(() => place.current?.focus(), [])
  return (
    <div
      ref={place}
      tabIndex={-1}
      className="grid gap-4 rounded-field bg-good-ground p-4 outline-none"
    >
      <h3 className="font-semibold text-good">{madeTexts.title}</h3>
      <p>{madeTexts.text}</p>
      <ShownText label={madeTexts.label} text={value} />
      <div className="flex flex-wrap gap-3">
        <CopyButton text={value} label={madeTexts.copy} />
        <Button onClick={onDone}>{madeTexts.done}</Button>
      </div>
    </div>
  )
}
