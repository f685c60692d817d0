import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { type Flow, partnerVisit } from '../../api/partner-visit.ts'
import type { Branding } from '../../api/partners.ts'
import { buttonLook } from '../../design/button.tsx'
import { Alert, Card } from '../../design/feedback.tsx'
import { LinkRequest } from '../sign-in/link-request.tsx'
import { FlowSteps } from './flow-steps.tsx'
import { GoBack } from './go-back.tsx'
import { texts } from './texts.ts'
import { useWantedSearch } from './use-wanted-search.ts'

type Props = { flow: Flow; branding: Branding; path: string }

/** A visitor who signs in here needs no confirmation. */
const signsInHere = () => {
  partnerVisit.forgetRefusal()
  partnerVisit.change({ signsInHere: true })
}

/** The start for signed-out visitors. */
export function SignedOutStart({ flow, branding, path }: Props) {
  const { name } = branding
  const isRefused = partnerVisit.isRefused()
  return (
    <>
      {isRefused ? <Alert>{texts.refused(name)}</Alert> : null}
      <Card className="grid gap-5">
        {flow === 'manage' ? null : <FlowSteps flow={flow} />}
        {flow === 'create' ? <FindLink isMain={!isRefused} /> : <SignIn />}
      </Card>
      <GoBack path={path} name={name} flow={flow} look="quiet" />
    </>
  )
}

function FindLink({ isMain }: { isMain: boolean }) {
  const next = useLocation({ select: ({ href }) => href })
  const search = useWantedSearch()
  const [find, signIn] = isMain ? (['main', 'second'] as const) : (['second', 'main'] as const)
  return (
    <div className="grid justify-items-start gap-4">
      <div className="grid justify-items-start gap-2">
        <Link to="/" search={search} onClick={signsInHere} className={buttonLook(find)}>
          {texts.start.find}
        </Link>
        <p className="text-sm text-soft">{texts.start.findText}</p>
      </div>
      <Link to="/sign-in" search={{ next }} onClick={signsInHere} className={buttonLook(signIn)}>
        {texts.start.have}
      </Link>
    </div>
  )
}

function SignIn() {
  const next = useLocation({ select: ({ href }) => href })
  const [email, setEmail] = useState('')
  const { start } = texts
  return (
    <div className="grid gap-3">
      <p>{start.signInText}</p>
      <LinkRequest kind="link" next={next} email={email} setEmail={setEmail} />
      <p>
        <Link
          to="/sign-in"
          search={{ next }}
          onClick={signsInHere}
          className="inline-flex min-h-11 items-center font-medium text-main underline underline-offset-4"
        >
          {start.byPassword}
        </Link>
      </p>
    </div>
  )
}
