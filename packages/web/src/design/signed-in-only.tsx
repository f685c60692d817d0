import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { session } from '../api/session.ts'
import { buttonLook } from './button.tsx'
import { Alert, Card } from './feedback.tsx'
import { texts } from './texts.ts'
import { useSession } from './use-session.ts'
import { Waiting } from './waiting.tsx'

/** A page for signed-in accounts; visitors get a link to sign in and return. */
export function SignedInOnly({ title, children }: { title: string; children: ReactNode }) {
  const state = useSession()
  const next = useLocation({ select: ({ href }) => href })
  if (state === 'asking') return <Waiting />
  if (state === 'in') return children
  return (
    <Card className="mx-auto grid w-full max-w-md justify-items-start gap-4">
      <h1>{title}</h1>
      {session.isOver() ? <Alert>{texts.signedOut.over}</Alert> : null}
      <p className="text-soft">{texts.signedOut.text}</p>
      <div className="flex flex-wrap gap-3">
        <Link to="/sign-in" search={{ next }} className={buttonLook()}>
          {texts.frame.signIn}
        </Link>
        <Link to="/sign-in" search={{ next, view: 'register' }} className={buttonLook('second')}>
          {texts.signedOut.register}
        </Link>
      </div>
    </Card>
  )
}
