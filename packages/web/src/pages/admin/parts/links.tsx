import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { texts } from '../texts.ts'

const look = 'min-h-6 text-main underline underline-offset-4'
const longLook = `${look} wrap-anywhere`

type PersonProps = {
  id: string
  email: string | null
  /** Shown for an account without an email address. */
  nameless?: string
}

/** Links to an account. */
export const PersonLink = ({ id, email, nameless = texts.people.nameless }: PersonProps) => (
  <Link to="/admin/users/$id" params={{ id }} className={longLook}>
    {email ?? nameless}
  </Link>
)

export const OrderLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to="/admin/orders/$id" params={{ id }} className={look}>
    {children}
  </Link>
)

export const OrganizationLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to="/admin/organizations/$id" params={{ id }} className={longLook}>
    {children}
  </Link>
)

/** Links to the operator page of an emoji id. */
export const IdLink = ({ id }: { id: string }) => (
  <Link to="/admin/ids/$id" params={{ id }} className="inline-block rounded-field p-1">
    <EmojiId id={id} size="small" />
  </Link>
)

export const CodeLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to="/admin/codes" search={{ code: id }} className={longLook}>
    {children}
  </Link>
)
