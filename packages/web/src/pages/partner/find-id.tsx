import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Branding } from '../../api/partners.ts'
import { buttonLook } from '../../design/button.tsx'
import { EmojiId } from '../../design/emoji-id.tsx'
import { Card, ErrorOf } from '../../design/feedback.tsx'
import { useLastVisit } from '../../design/use-visit.ts'
import { Waiting } from '../../design/waiting.tsx'
import { usePartnerSearch } from './address.ts'
import { AddressReview } from './address-review.tsx'
import { FlowSteps } from './flow-steps.tsx'
import { GoBack } from './go-back.tsx'
import { ownId } from './own-id.ts'
import { ownIdsQuery } from './queries.ts'
import { StepTitle } from './step-title.tsx'
import { texts } from './texts.ts'
import { useWantedSearch } from './use-wanted-search.ts'

type Props = { branding: Branding; path: string }

/** The visitor finds an id for the partner, or uses an own one. */
export function FindId({ branding, path }: Props) {
  const { id } = usePartnerSearch()
  const { eid = '' } = useLastVisit() ?? {}
  const { data: ids, error } = useQuery(ownIdsQuery)
  if (!ids) return error ? <ErrorOf thrown={error} /> : <Waiting />
  if (id) return <AddressReview id={id} branding={branding} path={path} flow="create" />
  const ownedId = ownId(ids, eid)
  return (
    <>
      <Card className="grid gap-5">
        {ownedId ? <OwnedId id={ownedId} path={path} /> : <FindLink />}
      </Card>
      <GoBack path={path} name={branding.name} flow="create" look="quiet" />
    </>
  )
}

function FindLink() {
  const search = useWantedSearch()
  return (
    <>
      <FlowSteps flow="create" />
      <div>
        <Link to="/" search={search} className={buttonLook()}>
          {texts.start.find}
        </Link>
      </div>
    </>
  )
}

const OwnedId = ({ id, path }: { id: string; path: string }) => (
  <>
    <StepTitle>{texts.own.title}</StepTitle>
    <EmojiId id={id} size="large" />
    <div className="flex flex-wrap gap-3">
      <Link to="/partner/$path" params={{ path }} search={{ id }} className={buttonLook()}>
        {texts.own.use}
      </Link>
      <Link to="/" className={buttonLook('second')}>
        {texts.own.another}
      </Link>
    </div>
  </>
)
