import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { accountQuery } from '../../api/account.ts'
import { type Flow, partnerPage, partnerVisit, type Visit } from '../../api/partner-visit.ts'
import type { Branding } from '../../api/partners.ts'
import { asProblem } from '../../api/problem.ts'
import { session } from '../../api/session.ts'
import { Button } from '../../design/button.tsx'
import { Alert, Card, ErrorOf, Notice } from '../../design/feedback.tsx'
import { Field, passwordIn, valueIn } from '../../design/field.tsx'
import { useAction } from '../../design/use-action.ts'
import { useLastVisit } from '../../design/use-visit.ts'
import { Waiting } from '../../design/waiting.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { usePartnerSearch } from './address.ts'
import { setEmail } from './queries.ts'
import { StepTitle } from './step-title.tsx'
import { texts } from './texts.ts'

type Props = { visit: Visit; name: string }

function warningFor({ sentAs }: Visit): string | undefined {
  if (sentAs?.is_confirmed) return undefined
  return sentAs?.has_address ? texts.who.unconfirmed : texts.who.noAddress
}

/** Asks the visitor to confirm the partner's account. The current session stays until then. */
export function SentAccount({ visit, name }: Props) {
  const navigate = useNavigate()
  const onConfirmed = useAfterConfirming()
  const confirm = useAction({
    mutationFn: () => partnerVisit.confirm(visit),
    onSuccess: onConfirmed,
  })
  const leave = useAction({
    mutationFn: () => partnerVisit.decline(visit),
    onSuccess: () => {
      // The next step asks about the signed-in account.
      if (session.state() === 'in') return
      partnerVisit.change({ signsInHere: true })
      navigate({ to: '/sign-in', search: { next: partnerPage(visit) } })
    },
  })
  return (
    <WhoCard
      text={texts.who.text(name)}
      consequence={texts.who.consequenceSent(name)}
      account={visit.sentAs?.name ?? ''}
      warning={warningFor(visit)}
      confirm={() => confirm.mutate()}
      isConfirming={confirm.isPending}
      leave={() => leave.mutate()}
      isLeaving={leave.isPending}
      error={confirm.error ?? leave.error}
    />
  )
}

type ConfirmedProps = { flow: Flow; branding: Branding; path: string; children: ReactNode }

/** Shows its children once the visitor confirmed the account and it meets the requirements. */
export function ConfirmedAccount({ flow, branding, path, children }: ConfirmedProps) {
  const { data: account, error } = useQuery(accountQuery)
  const visit = useLastVisit()
  if (!account) return error ? <ErrorOf thrown={error} /> : <Waiting />
  const { id, email, alternate_id } = account.user
  const isConfirmed = visit?.signsInHere || visit?.confirmed === id
  if (!isConfirmed) {
    const account_name = email ?? alternate_id ?? ''
    return (
      <AccountQuestion
        flow={flow}
        branding={branding}
        path={path}
        id={id}
        account_name={account_name}
      />
    )
  }
  if (branding.requires_email && !email)
    return <AskForEmail name={branding.name} needsPassword={account.email_needs_password} />
  return children
}

type AccountQuestionProps = Omit<ConfirmedProps, 'children'> & { id: string; account_name: string }

function AccountQuestion({
  flow,
  branding: { name },
  path,
  id,
  account_name,
}: AccountQuestionProps) {
  const isRefused = partnerVisit.isRefused()
  const onConfirmed = useAfterConfirming()
  const confirm = () => {
    partnerVisit.forgetRefusal()
    partnerVisit.change({ confirmed: id })
    onConfirmed()
  }
  const leave = useAction({
    mutationFn: session.end,
    onSuccess: () => {
      partnerVisit.change({ signsInHere: true })
      const next = encodeURIComponent(partnerPage({ path, flow }))
      // A reload drops all data of the previous account.
      window.location.assign(`/sign-in?next=${next}`)
    },
  })
  return (
    <>
      {isRefused ? <Alert>{texts.refused(name)}</Alert> : null}
      <WhoCard
        text={texts.who.textHere}
        consequence={texts.who.consequence}
        account={account_name}
        confirm={confirm}
        leave={() => leave.mutate()}
        isLeaving={leave.isPending}
        error={leave.error}
      />
    </>
  )
}

type WhoCardProps = {
  text: string
  consequence: string
  account: string
  warning?: string | undefined
  confirm: () => void
  isConfirming?: boolean
  leave: () => void
  isLeaving: boolean
  error: unknown
}

/** Asks the visitor to confirm an account. */
function WhoCard({
  text,
  consequence,
  account,
  warning,
  confirm,
  isConfirming = false,
  leave,
  isLeaving,
  error,
}: WhoCardProps) {
  const { who } = texts
  return (
    <Card className="grid justify-items-start gap-4">
      <StepTitle>{who.title}</StepTitle>
      <p>
        <span className="block text-soft">{text}</span>
        <strong className="text-xl wrap-anywhere">{account}</strong>
      </p>
      {warning ? <Alert>{warning}</Alert> : null}
      <p className="text-soft">{consequence}</p>
      <div className="flex flex-wrap gap-3">
        <Button isBusy={isConfirming} onClick={confirm}>
          {who.yes}
        </Button>
        <Button look="quiet" isBusy={isLeaving} onClick={leave}>
          {who.other}
        </Button>
      </div>
      <ErrorOf thrown={error} />
    </Card>
  )
}

/** Continues after the confirmation; goes to the search if the page has nothing else to show. */
function useAfterConfirming(): () => void {
  const navigate = useNavigate()
  const { id } = usePartnerSearch()
  return () => {
    const { flow, eid } = partnerVisit.current() ?? {}
    if (flow === 'create' && id === undefined && eid === '') navigate({ to: '/' })
  }
}

type AskForEmailProps = { name: string; needsPassword: boolean }

/** Adds an email address to an account without one, where the partner requires it. */
function AskForEmail({ name, needsPassword }: AskForEmailProps) {
  const queries = useQueryClient()
  const ask = useAction({ mutationFn: setEmail })
  const look = useAction({
    // Once the account has an address, the next step replaces this one.
    mutationFn: () => queries.fetchQuery({ ...accountQuery, staleTime: 0 }),
  })
  const problem = ask.error ? asProblem(ask.error) : undefined
  const inFields = { email: problem?.in('email'), password: problem?.in('current_password') }
  const { email: t } = texts
  return (
    <Card className="grid gap-4">
      <StepTitle>{t.title}</StepTitle>
      <p className="text-soft">{t.text(name)}</p>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          const email = valueIn(form, 'email')
          ask.mutate(needsPassword ? { email, current_password: passwordIn(form) } : { email })
        }}
      >
        <Field
          label={sharedTexts.email}
          name="email"
          type="email"
          required
          autoComplete="email"
          problem={inFields.email}
        />
        {needsPassword ? (
          <Field
            label={t.password}
            hint={t.passwordHint}
            name="password"
            type="password"
            required
            autoComplete="current-password"
            problem={inFields.password}
          />
        ) : null}
        <ErrorOf thrown={inFields.email || inFields.password ? undefined : problem} />
        <div>
          <Button type="submit" isBusy={ask.isPending}>
            {t.send}
          </Button>
        </div>
      </form>
      {ask.isSuccess ? (
        <div className="grid justify-items-start gap-3">
          <Notice>{t.sent(ask.variables.email)}</Notice>
          <Button look="second" isBusy={look.isPending} onClick={() => look.mutate()}>
            {t.done}
          </Button>
          {look.isSuccess ? <Alert>{t.notYet}</Alert> : null}
          <ErrorOf thrown={look.error} />
        </div>
      ) : null}
    </Card>
  )
}
