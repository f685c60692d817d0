import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { buttonLook } from '../../../design/button.tsx'
import { DetailFallback } from '../../../design/detail-fallback.tsx'
import { Section } from '../../../design/section.tsx'
import { texts as adminTexts } from '../texts.ts'
import { AccessPanel } from './access.tsx'
import { AccountPanel } from './account.tsx'
import { FeaturesPanel } from './features.tsx'
import { IdsPanel } from './ids.tsx'
import { OrdersPanel } from './orders.tsx'
import { userQuery } from './queries.ts'
import { texts } from './texts.ts'

/** One account as operators see it. */
export function UserPage() {
  const { id = '' } = useParams({ strict: false })
  const { data: user, error } = useQuery(userQuery(id))
  if (!user) {
    return (
      <Section title={texts.title}>
        <DetailFallback error={error} text={texts.missing} back={<Back />} />
      </Section>
    )
  }
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ')
  const userName = user.email ?? user.alternate_id ?? (name || adminTexts.people.nameless)
  return (
    <Section
      title={userName}
      text={userName === name ? undefined : name}
      actions={
        <Link to="/admin/audit" search={{ person: id }} className={buttonLook('second')}>
          {texts.log}
        </Link>
      }
    >
      <AccountPanel user={user} userName={userName} />
      <AccessPanel user={user} userName={userName} />
      <FeaturesPanel id={id} />
      <IdsPanel user_id={id} ids={user.emoji_ids} />
      <OrdersPanel id={id} />
    </Section>
  )
}

const Back = () => (
  <Link to="/admin/users" className={buttonLook()}>
    {texts.back}
  </Link>
)
