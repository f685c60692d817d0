import { useQuery } from '@tanstack/react-query'
import { ownIdPageQuery } from '../../../api/own-ids.ts'
import { When } from '../../../design/date.tsx'
import { texts as accountTexts } from '../texts.ts'

/** An id with a valid mint signature cannot move. */
export function SignedUntil({ id }: { id: string }) {
  const { data } = useQuery(ownIdPageQuery({ page: 0, q: id }))
  const own = data?.data.find((one) => [one.emoji_id, one.canonical_format].includes(id))
  const until = own?.signed_until
  if (!until || new Date(until) <= new Date()) return null
  return (
    <p className="rounded-field bg-tint p-4">
      {accountTexts.signedText} <When at={until} isExact />
    </p>
  )
}
