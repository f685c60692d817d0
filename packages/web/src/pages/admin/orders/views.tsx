import { Link } from '@tanstack/react-router'
import { buttonLook } from '../../../design/button.tsx'
import { texts } from './texts.ts'

export const views = ['requests', 'refunds'] as const

const links = [
  { view: undefined, text: texts.all },
  { view: 'requests', text: texts.requests },
  { view: 'refunds', text: texts.refunds },
] as const

/** Tabs: all orders, refund requests and refunds. */
export const Views = ({ current }: { current: (typeof views)[number] | undefined }) => (
  <nav aria-label={texts.views} className="flex flex-wrap gap-2">
    {links.map(({ view, text }) => (
      <Link
        key={text}
        to="/admin/orders"
        search={view ? { view } : {}}
        activeOptions={{ exact: true, includeSearch: true }}
        activeProps={{}}
        aria-current={view === current ? 'page' : undefined}
        className={buttonLook(view === current ? 'main' : 'second')}
      >
        {text}
      </Link>
    ))}
  </nav>
)
