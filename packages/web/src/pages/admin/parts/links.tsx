import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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

export const CodeLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to="/admin/codes" search={{ code: id }} className={longLook}>
    {children}
  </Link>
)
