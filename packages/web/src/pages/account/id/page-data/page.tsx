import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { storeQuery } from '../../../../api/id-store.ts'
import { ErrorOf } from '../../../../design/feedback.tsx'
import { Waiting } from '../../../../design/waiting.tsx'
import { proofQuery } from '../queries.ts'
import { isDrawing } from './pictures.ts'
import { Pictures } from './pictures-card.tsx'
import { ProfileEditor } from './profile-editor.tsx'

const askedEveryMs = 1_500

/** Edits the public page of an id. */
export function IdPageDataPage() {
  const { id } = useParams({ from: '/account/ids/$id' })
  const { data: proof, error: unreadError } = useQuery(proofQuery(id))
  const { data: storedData, error } = useQuery({
    ...storeQuery(id),
    refetchInterval: ({ state }) => (state.data && isDrawing(state.data) ? askedEveryMs : false),
  })
  if (!storedData || !proof) {
    return error || unreadError ? <ErrorOf thrown={error ?? unreadError} /> : <Waiting />
  }
  return (
    <div className="grid gap-5">
      <ProfileEditor key={id} id={id} stored={storedData} records={proof.records} />
      <Pictures key={id} id={id} stored={storedData} />
    </div>
  )
}
