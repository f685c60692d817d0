import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ErrorOf } from '../../../../design/feedback.tsx'
import { Waiting } from '../../../../design/waiting.tsx'
import { proofQuery } from '../queries.ts'
import { DelayLock } from './delay-lock.tsx'
import { Editor } from './editor.tsx'
import { PendingChange } from './pending-change.tsx'

/** The records of an id and its settings. */
export function IdAddressesPage() {
  const { id } = useParams({ from: '/account/ids/$id' })
  const { data, error } = useQuery(proofQuery(id))
  if (!data) return error ? <ErrorOf thrown={error} /> : <Waiting />
  return (
    <div className="grid gap-5">
      <PendingChange id={id} />
      <Editor key={id} id={id} records={data.records} />
      <DelayLock id={id} />
    </div>
  )
}
