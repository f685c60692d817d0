import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { orderPageQuery } from '../../../api/admin.ts'
import { Badge } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { DataTable } from '../../../design/data-table.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { TextArea } from '../../../design/field.tsx'
import { DetailFallback, Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { columnsOfOneBuyer } from '../orders/columns.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { IdLink } from '../parts/links.tsx'
import { ListPanel, Panel } from '../parts/panel.tsx'
import {
  SuspendedBadge,
  SuspensionButton,
  useSuspendedIds,
} from '../parts/suspension/suspension-button.tsx'
import { texts as adminTexts } from '../texts.ts'
import { AccountPanel } from './account.tsx'
import {
  allFeaturesQuery,
  type ShownUser,
  userActions,
  userFeaturesQuery,
  userQuery,
} from './queries.ts'
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

type Props = { user: ShownUser; userName: string }

/** The actions on the access of an account. */
function AccessPanel({ user, userName }: Props) {
  const { id, deactivated_at, deleted_at, two_factor_auth } = user
  const { activate, deactivate, removeSecondFactor, remove } = userActions(id)
  if (deleted_at) return <DeletedAccess user={user} />
  const dialogProps = { asksReason: true, isDangerous: true }
  return (
    <Panel title={texts.danger} text={texts.dangerText}>
      <div className="flex flex-wrap gap-3">
        {deactivated_at ? (
          <AskButton
            {...texts.activate}
            text={texts.activate.text(userName)}
            asksReason
            run={activate}
          />
        ) : (
          <DeactivateButton userName={userName} run={deactivate} />
        )}
        {two_factor_auth && two_factor_auth.length > 0 ? (
          <AskButton
            {...dialogProps}
            {...texts.removeFactor}
            text={texts.removeFactor.text(userName)}
            run={removeSecondFactor}
          />
        ) : null}
        <AskButton
          {...dialogProps}
          {...texts.remove}
          look="danger"
          text={texts.remove.text(userName)}
          run={remove}
        />
      </div>
    </Panel>
  )
}

/** A deleted account has no access, but the person behind it can be barred for a while. */
function DeletedAccess({ user: { id, is_removed } }: { user: ShownUser }) {
  const { activate, deactivate } = userActions(id)
  return (
    <Panel title={texts.danger} text={texts.deletedText}>
      {is_removed ? (
        <AskButton {...texts.readmit} asksReason run={activate} />
      ) : (
        <AskButton
          {...texts.bar}
          asksReason
          isDangerous
          run={(reason) => deactivate(reason, false)}
        />
      )}
    </Panel>
  )
}

type DeactivateProps = {
  userName: string
  run: (reason: string, suspendsIds: boolean) => Promise<unknown>
}

/** Suspends the ids too, unless the operator unticks it. */
function DeactivateButton({ userName, run }: DeactivateProps) {
  const [suspendsIds, setSuspendsIds] = useState(true)
  const { suspend, suspendHint, text, ...dialog } = texts.deactivate
  return (
    <AskButton
      {...dialog}
      text={text(userName)}
      asksReason
      isDangerous
      sends={suspendsIds}
      onOpen={() => setSuspendsIds(true)}
      run={(reason) => run(reason, suspendsIds)}
    >
      <Checkbox
        label={suspend}
        hint={suspendHint}
        checked={suspendsIds}
        onChange={(event) => setSuspendsIds(event.target.checked)}
      />
    </AskButton>
  )
}

const featuresTexts = texts.features

function FeaturesPanel({ id }: { id: string }) {
  const { data, error } = useQuery(userFeaturesQuery(id))
  const codes = data?.map(({ code }) => code)
  return (
    <Panel
      title={featuresTexts.title}
      text={featuresTexts.text}
      actions={codes ? <ChangeFeatures id={id} codes={codes} /> : null}
    >
      <ErrorOf thrown={error} />
      {codes ? <FeatureList codes={codes} /> : error ? null : <Waiting />}
    </Panel>
  )
}

const FeatureList = ({ codes }: { codes: string[] }) =>
  codes.length === 0 ? (
    <p className="text-soft">{featuresTexts.none}</p>
  ) : (
    <ul className="flex flex-wrap gap-2">
      {codes.map((code) => (
        <li key={code}>
          <Badge>{code}</Badge>
        </li>
      ))}
    </ul>
  )

function ChangeFeatures({ id, codes }: { id: string; codes: string[] }) {
  const { data: all = [] } = useQuery(allFeaturesQuery)
  const [chosenCodes, setChosenCodes] = useState<ReadonlySet<string>>(new Set(codes))
  const [others, setOthers] = useState('')
  const features = [...new Set([...all.map(({ code }) => code), ...codes])].sort()
  const toggle = (code: string, isOn: boolean) =>
    setChosenCodes(
      new Set(isOn ? [...chosenCodes, code] : [...chosenCodes].filter((one) => one !== code)),
    )
  return (
    <AskButton
      label={featuresTexts.label}
      title={featuresTexts.dialog}
      text={featuresTexts.dialogText}
      action={featuresTexts.action}
      done={featuresTexts.done}
      onOpen={() => {
        setChosenCodes(new Set(codes))
        setOthers('')
      }}
      asksReason
      run={(reason) => userActions(id).setFeatures([...chosenCodes, ...namesIn(others)], reason)}
    >
      {features.map((code) => (
        <Checkbox
          key={code}
          label={code}
          checked={chosenCodes.has(code)}
          onChange={({ currentTarget }) => toggle(code, currentTarget.checked)}
        />
      ))}
      <TextArea
        label={featuresTexts.other}
        hint={featuresTexts.otherHint}
        rows={2}
        value={others}
        onChange={({ currentTarget }) => setOthers(currentTarget.value)}
      />
    </AskButton>
  )
}

const namesIn = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '')

const idsTexts = texts.ids
const shownAtMost = 60

type IdsProps = { user_id: string; ids: readonly string[] }

/** The ids of the account, each with its suspension. */
function IdsPanel({ user_id, ids }: IdsProps) {
  const suspended = useSuspendedIds(user_id)
  return (
    <Panel title={idsTexts.title(ids.length)}>
      {ids.length === 0 ? <p className="text-soft">{idsTexts.none}</p> : null}
      <ul className="grid gap-3">
        {ids.slice(0, shownAtMost).map((id) => (
          <li key={id} className="flex flex-wrap items-center gap-3">
            <IdLink id={id} />
            {suspended?.has(id) ? <SuspendedBadge /> : null}
            {suspended ? <SuspensionButton id={id} isSuspended={suspended.has(id)} /> : null}
          </li>
        ))}
      </ul>
      {ids.length > shownAtMost ? (
        <p className="text-soft">{idsTexts.more(ids.length - shownAtMost)}</p>
      ) : null}
    </Panel>
  )
}

const ordersTexts = texts.orders

function OrdersPanel({ id }: { id: string }) {
  const { data, error } = useQuery(orderPageQuery({ page: 0, limit: 5, user_id: id }))
  return (
    <ListPanel
      title={ordersTexts.title}
      actions={
        <Link to="/admin/orders" search={{ q: id }} className={buttonLook('second')}>
          {ordersTexts.all}
        </Link>
      }
    >
      <DataTable
        caption={ordersTexts.caption}
        columns={columnsOfOneBuyer}
        rows={data?.data}
        keyOf={(order) => order.id}
        error={error}
        empty={ordersTexts.none}
      />
    </ListPanel>
  )
}
