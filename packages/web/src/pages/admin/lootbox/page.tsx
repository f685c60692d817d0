import { lootboxLimits, spokenNames } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { findUser } from '../../../api/admin.ts'
import { asProblem } from '../../../api/problem.ts'
import type { Lootbox } from '../../../api/shop.ts'
import { announce } from '../../../design/announcements.ts'
import { Button, buttonLook } from '../../../design/button.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { When } from '../../../design/date.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Card } from '../../../design/feedback.tsx'
import { Field, TextArea } from '../../../design/field.tsx'
import { Money } from '../../../design/money.tsx'
import { DetailFallback, Section } from '../../../design/section.tsx'
import { Odds } from '../lootbox-types/odds.tsx'
import { BoxStatus, ownerOf } from '../lootboxes/box-parts.tsx'
import { linesOf } from '../read-input.ts'
import { texts as adminTexts } from '../texts.ts'
import { changeLootbox, deleteLootbox, lootboxQuery } from './queries.ts'
import { texts } from './texts.ts'

const { noOwner, byHand, box: nameOfBox } = adminTexts.boxes

export function LootboxPage() {
  const { id = '' } = useParams({ strict: false })
  const { data: box, error } = useQuery(lootboxQuery(id))
  return (
    <Section title={error ? texts.title : nameOfBox(id)}>
      {box ? (
        <Box box={box} />
      ) : (
        <DetailFallback error={error} text={texts.missing} back={<Back />} />
      )}
    </Section>
  )
}

const Back = () => (
  <Link to="/admin/lootboxes" className={buttonLook()}>
    {texts.back}
  </Link>
)

const Box = ({ box }: { box: Lootbox }) => (
  <>
    <Card className="grid gap-4">
      <h2>{texts.actions}</h2>
      <BoxActions box={box} />
    </Card>
    <div className="grid items-start gap-5 xl:grid-cols-2">
      <Contents box={box} />
      <Card className="grid gap-4">
        <h2>{texts.facts}</h2>
        <Facts box={box} />
      </Card>
      {box.lootbox_type ? (
        <Card className="grid gap-4">
          <h2>{texts.odds}</h2>
          <Odds name={box.lootbox_type.name} config={box.lootbox_type.config} />
        </Card>
      ) : null}
    </div>
  </>
)

const Contents = ({ box: { yats, scores, prices } }: { box: Lootbox }) => (
  <Card className="grid gap-4">
    <h2>{texts.contents}</h2>
    <ul className="grid gap-3">
      {yats.map((yat, nth) => (
        <li key={yat} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="grid gap-1">
            <EmojiId id={yat} />
            <span aria-hidden="true" className="text-sm text-soft">
              {spokenNames(yat)}
            </span>
          </span>
          <span className="text-right text-sm">
            {texts.score} {scores[nth]} · <Money cents={prices[nth] ?? 0} />
          </span>
        </li>
      ))}
    </ul>
  </Card>
)

function Facts({ box }: { box: Lootbox }) {
  const { status, lootbox_type, owner_id, owner_email, created_at, seed_hash } = box
  const owner = ownerOf(box)
  return (
    <dl className="grid gap-3">
      <Fact name={texts.status}>
        <BoxStatus status={status} />
      </Fact>
      <Fact name={texts.type}>{lootbox_type?.name ?? byHand}</Fact>
      <Fact name={texts.owner}>
        {owner && owner_id ? (
          <Link to="/admin/users/$id" params={{ id: owner_id }} className="text-main underline">
            {owner}
          </Link>
        ) : (
          (owner ?? noOwner)
        )}
        {owner_email ? <span className="block text-sm text-soft">{texts.kept}</span> : null}
      </Fact>
      <Fact name={texts.worth}>
        <Money cents={box.total_value} />
      </Fact>
      <Fact name={texts.average}>{Math.round(box.average_rhythm_score * 10) / 10}</Fact>
      <Fact name={texts.made}>
        <When at={created_at} isExact />
      </Fact>
      <Fact name={texts.seedHash}>
        <code className="text-sm wrap-anywhere">{seed_hash}</code>
        <span className="block text-sm text-soft">{texts.seedText}</span>
      </Fact>
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-0.5">
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
)

type Action = 'offer' | 'give' | 'open' | 'change' | 'remove'

/** The actions that the service allows in each state. */
const actionsOf = ({ status, lootbox_type_id }: Lootbox): Action[] => {
  const isByHand = lootbox_type_id === null
  if (status === 'Draft')
    return ['offer', 'give', ...(isByHand ? ['change' as const] : []), 'remove']
  if (status === 'Available') return ['give', 'remove']
  return status === 'Owned' ? ['give', 'open'] : []
}
const looks = { offer: 'main', give: 'main', open: 'second', change: 'second' } as const

function BoxActions({ box }: { box: Lootbox }) {
  const [askedAction, setAskedAction] = useState<Action>()
  const actions = actionsOf(box)
  const close = () => setAskedAction(undefined)
  if (actions.length === 0) return <p className="text-soft">{texts.nothing}</p>
  return (
    <div className="flex flex-wrap gap-3">
      {actions.map((action, nth) => (
        <Button
          key={action}
          look={action === 'remove' ? 'danger' : nth === 0 ? looks[action] : 'second'}
          onClick={() => setAskedAction(action)}
        >
          {texts[action].action}
        </Button>
      ))}
      {askedAction === 'give' ? <OwnerDialog box={box} onClose={close} /> : null}
      {askedAction === 'change' ? <ContentsDialog box={box} onClose={close} /> : null}
      {askedAction === 'remove' ? <RemovalDialog box={box} onClose={close} /> : null}
      {askedAction === 'offer' ? (
        <ConfirmDialog
          {...texts.offer}
          asksReason
          run={(reason) => changeLootbox(box.id, { status: 'Available', reason })}
          onDone={() => announce(texts.offer.done)}
          onClose={close}
        />
      ) : null}
      {askedAction === 'open' ? (
        <ConfirmDialog
          {...texts.open}
          isDangerous
          asksReason
          run={(reason) => changeLootbox(box.id, { status: 'Used', reason })}
          onDone={() => announce(texts.open.done)}
          onClose={close}
        />
      ) : null}
    </div>
  )
}

type Props = { box: Lootbox; onClose: () => void }

function OwnerDialog({ box: { id, status }, onClose }: Props) {
  const [owner_email, setOwner] = useState('')
  /** The typed address, if no account uses it. */
  const [stranger, setStranger] = useState<string>()
  const isAgain = status === 'Owned'
  const { title, titleAgain, text, action, owner, done } = texts.give
  const give = async (reason: string) => {
    if (stranger !== owner_email) {
      await findUser(owner_email, texts.give.unknown).catch((error) => {
        if (asProblem(error).code === 'unknown_user') setStranger(owner_email)
        throw error
      })
    }
    return changeLootbox(id, { status: 'Owned', owner_email, reason })
  }
  return (
    <ConfirmDialog
      text={text}
      action={action}
      onClose={onClose}
      title={isAgain ? titleAgain : title}
      isDangerous={isAgain}
      asksReason
      run={give}
      onDone={() => announce(done)}
    >
      <Field
        label={owner}
        type="email"
        required
        value={owner_email}
        onChange={({ currentTarget }) => setOwner(currentTarget.value)}
      />
      {stranger !== undefined && stranger === owner_email ? (
        <Checkbox label={texts.give.anyway} hint={texts.give.anywayHint} required />
      ) : null}
    </ConfirmDialog>
  )
}

function ContentsDialog({ box: { id, yats }, onClose }: Props) {
  const [ids, setIds] = useState(yats.join('\n'))
  const { title, text, action, done } = texts.change
  return (
    <ConfirmDialog
      title={title}
      text={text}
      action={action}
      onClose={onClose}
      asksReason
      run={(reason) => changeLootbox(id, { yats: linesOf(ids), reason })}
      onDone={() => announce(done)}
    >
      <TextArea
        label={adminTexts.boxes.ids}
        hint={adminTexts.boxes.idsHint(lootboxLimits.ids)}
        required
        rows={5}
        value={ids}
        onChange={({ currentTarget }) => setIds(currentTarget.value)}
      />
    </ConfirmDialog>
  )
}

function RemovalDialog({ box: { id }, onClose }: Props) {
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      {...texts.remove}
      isDangerous
      asksReason
      run={(reason) => deleteLootbox(id, reason)}
      onDone={() => {
        announce(texts.remove.done)
        navigate({ to: '/admin/lootboxes' })
      }}
      onClose={onClose}
    />
  )
}
