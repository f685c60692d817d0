import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { asProblem } from '../../../api/problem.ts'
import { buttonLook } from '../../../design/button.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { texts as adminTexts } from '../texts.ts'
import { AccessPanel } from './access.tsx'
import { AccountPanel } from './account.tsx'
import { FeaturesPanel } from './features.tsx'
import { IdsPanel } from './ids.tsx'
import { OrdersPanel } from './orders.tsx'
import { userQuery } from './queries.ts'
import { texts } from './texts.ts'

/** Everything about one person that operators need. */
export function UserPage() {
  const { id = '' } = useParams({ strict: false })
  const { data: user, error } = useQuery(userQuery(id))
  if (!user) return <Section title={texts.title}>{missing(error)}</Section>
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ')
  const who = user.email ?? user.alternate_id ?? (name || adminTexts.people.nameless)
  return (
    <Section
      title={who}
      text={who === name ? undefined : name}
      actions={
        <Link to="/admin/audit" search={{ person: id }} className={buttonLook('second')}>
          {texts.log}
        </Link>
      }
    >
      <AccountPanel user={user} who={who} />
      <AccessPanel user={user} who={who} />
      <FeaturesPanel id={id} />
      <IdsPanel ids={user.emoji_ids} />
      <OrdersPanel id={id} />
    </Section>
  )
}

function missing(error: unknown) {
  if (!error) return <Waiting />
  if (![400, 404].includes(asProblem(error).status)) return <ErrorOf thrown={error} />
  return (
    <Card className="grid justify-items-start gap-4">
      <p>{texts.missing}</p>
      <Link to="/admin/users" className={buttonLook()}>
        {texts.back}
      </Link>
    </Card>
  )
}
