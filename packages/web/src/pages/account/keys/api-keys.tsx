import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Part } from '../../../design/part.tsx'
import { useSessionDraft } from '../../../design/use-session-draft.ts'
import { NewKeyForm } from './new-key-form.tsx'
import { NewKeyValue } from './new-key-value.tsx'
import { type ApiKey, apiKeysQuery, deleteApiKey, type NewApiKey } from './queries.ts'
import { scopeInWords } from './scope-texts.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.api

const refresh = () => void queries.invalidateQueries({ queryKey: apiKeysQuery.queryKey })

export function ApiKeys() {
  const { data, error } = useQuery(apiKeysQuery)
  const [isMaking, setMaking] = useSessionDraft('api key form', false)
  const [newKey, setNewKey] = useState<NewApiKey>()
  const [removing, setRemoving] = useState<ApiKey>()
  return (
    <Part
      title={texts.title}
      text={texts.text}
      actions={
        isMaking || newKey ? null : <Button onClick={() => setMaking(true)}>{texts.make}</Button>
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
        <p>{texts.none}</p>
      ) : (
        <DataTable
          caption={texts.caption}
          columns={columnsWith(setRemoving)}
          rows={data}
          keyOf={({ id }) => id}
          error={error}
          empty={texts.none}
        />
      )}
      {removing ? (
        <ConfirmDialog
          title={texts.confirm.title(removing.name)}
          text={texts.confirm.text}
          action={texts.confirm.action}
          isDangerous
          run={() => deleteApiKey(removing.id)}
          onDone={() => {
            announce(texts.confirm.done)
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
    title: texts.columns.name,
    show: ({ name, api_key }) => (
      <span className="grid gap-0.5">
        <span className="font-semibold wrap-anywhere">{name}</span>
        <span className="font-mono text-sm text-soft">{api_key}</span>
      </span>
    ),
  },
  { title: texts.columns.may, show: ({ scopes }) => <Permissions scopes={scopes} /> },
  { title: texts.columns.made, show: ({ created_at }) => <When at={created_at} /> },
  { title: texts.columns.expires, show: ({ expires_at }) => <Expiry at={expires_at} /> },
  { title: texts.columns.used, show: (key) => <LastUse {...key} /> },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: (key) => (
      <Button look="second" onClick={() => onRemove(key)}>
        {texts.remove}
        <span className="sr-only">: {key.name}</span>
      </Button>
    ),
  },
]

const Permissions = ({ scopes }: Pick<ApiKey, 'scopes'>) => (
  <details>
    <summary className="min-h-6 cursor-pointer font-medium text-main underline underline-offset-4">
      {texts.may(scopes.length)}
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
        <span className="text-sm text-soft">{texts.usedFrom(last_used_network)}</span>
      ) : null}
      {last_used_agent ? (
        <span className="text-sm wrap-anywhere text-soft">{last_used_agent}</span>
      ) : null}
    </span>
  ) : (
    texts.unused
  )

function Expiry({ at }: { at: string | null }) {
  if (at === null) return texts.never
  return new Date(at) < new Date() ? <Badge tone="wrong">{texts.expired}</Badge> : <When at={at} />
}
