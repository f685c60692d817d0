import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { accountQuery, isAdmin } from '../../api/account.ts'
import { AreaFrame } from '../../design/area-frame.tsx'
import { buttonLook } from '../../design/button.tsx'
import { Card, ErrorOf } from '../../design/feedback.tsx'
import { SignedInOnly } from '../../design/signed-in-only.tsx'
import { useTitle } from '../../design/use-title.ts'
import { Waiting } from '../../design/waiting.tsx'
import { texts } from './texts.ts'

const { title, navigation, sections: names, noSecondFactor, notForYou } = texts

const sections = [
  { link: linkOptions({ to: '/admin' }), text: names.overview, isExact: true },
  { link: linkOptions({ to: '/admin/ids' }), text: names.ids },
  { link: linkOptions({ to: '/admin/users' }), text: names.users },
  { link: linkOptions({ to: '/admin/orders' }), text: names.orders },
  { link: linkOptions({ to: '/admin/disputes' }), text: names.disputes },
  { link: linkOptions({ to: '/admin/reports' }), text: names.reports },
  { link: linkOptions({ to: '/admin/suspensions' }), text: names.suspensions },
  { link: linkOptions({ to: '/admin/reserved' }), text: names.reserved },
  { link: linkOptions({ to: '/admin/codes' }), text: names.codes },
  { link: linkOptions({ to: '/admin/lootboxes' }), text: names.lootboxes },
  { link: linkOptions({ to: '/admin/prices' }), text: names.prices },
  { link: linkOptions({ to: '/admin/organizations' }), text: names.organizations },
  { link: linkOptions({ to: '/admin/applications' }), text: names.applications },
  { link: linkOptions({ to: '/admin/webhooks' }), text: names.webhooks },
  { link: linkOptions({ to: '/admin/tokens' }), text: names.tokens },
  { link: linkOptions({ to: '/admin/audit' }), text: names.audit },
  { link: linkOptions({ to: '/admin/jobs' }), text: names.jobs },
]

/** The frame around the operator pages. */
export const AdminLayout = () => (
  <SignedInOnly title={title}>
    <AdminOnly />
  </SignedInOnly>
)

function AdminOnly() {
  const { data: account, error } = useQuery(accountQuery)
  if (!account) return error ? <ErrorOf thrown={error} /> : <Waiting />
  if (!isAdmin(account)) return <AccessDenied />
  const hasSecondFactor = (account.user.two_factor_auth ?? []).length > 0
  return (
    <div className="grid gap-4">
      {hasSecondFactor ? null : <NoSecondFactor />}
      <AreaFrame label={navigation} sections={sections} />
    </div>
  )
}

/** Accounts without a second factor are never asked for a code. */
const NoSecondFactor = () => (
  <div className="grid justify-items-start gap-3 rounded-field bg-tint p-4">
    <p>{noSecondFactor.text}</p>
    <Link to="/account/security" className={buttonLook('second')}>
      {noSecondFactor.link}
    </Link>
  </div>
)

function AccessDenied() {
  useTitle(notForYou.title)
  return (
    <Card className="mx-auto grid w-full max-w-md justify-items-start gap-4">
      <h1>{notForYou.title}</h1>
      <p className="text-soft">{notForYou.text}</p>
      <Link to="/account" className={buttonLook()}>
        {notForYou.account}
      </Link>
    </Card>
  )
}
