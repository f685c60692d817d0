import { useQuery } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import { accountQuery } from '../../api/account.ts'
import { sellersOf } from '../../api/sales.ts'
import { AreaFrame } from '../../design/area-frame.tsx'
import { SignedInOnly } from '../../design/signed-in-only.tsx'
import { texts } from './texts.ts'

const { title, navigation, sections: names } = texts

const sections = [
  {
    link: linkOptions({ to: '/account' }),
    text: names.ids,
    isExact: true,
    under: '/account/ids/',
  },
  { link: linkOptions({ to: '/account/transfers' }), text: names.transfers },
  { link: linkOptions({ to: '/account/interests' }), text: names.interests },
  { link: linkOptions({ to: '/account/orders' }), text: names.orders },
  { link: linkOptions({ to: '/account/payment-methods' }), text: names.paymentMethods },
  { link: linkOptions({ to: '/account/lootboxes' }), text: names.lootboxes },
  { link: linkOptions({ to: '/account/security' }), text: names.security },
  { link: linkOptions({ to: '/account/keys' }), text: names.keys },
  { link: linkOptions({ to: '/account/webhooks' }), text: names.webhooks },
  { link: linkOptions({ to: '/account/organizations' }), text: names.organizations },
  { link: linkOptions({ to: '/account/profile' }), text: names.profile },
]

const sales = { link: linkOptions({ to: '/account/sales' }), text: names.sales }

/** The frame around the account pages. */
export const AccountLayout = () => (
  <SignedInOnly title={title}>
    <Frame />
  </SignedInOnly>
)

function Frame() {
  const { data: account } = useQuery(accountQuery)
  const isSeller = sellersOf(account).length > 0
  const links = sections.flatMap((section) =>
    isSeller && section.text === names.paymentMethods ? [sales, section] : [section],
  )
  return <AreaFrame label={navigation} sections={links} />
}
