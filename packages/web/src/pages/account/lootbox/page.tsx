import './celebration.css'
import { emojisOf, parseTonedEmojiId, spokenNames } from '@emojid/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type Ref, useEffect, useRef, useState } from 'react'
import { ensureInCart } from '../../../api/cart-items.ts'
import type { Lootbox } from '../../../api/shop.ts'
import { cartQuery } from '../../../api/shop.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button, buttonLook } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { artOf, EmojiId } from '../../../design/emoji-id.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { Money } from '../../../design/money.tsx'
import { DetailFallback, Section } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import { WholePrice } from '../../../design/whole-price.tsx'
import { language } from '../../../language.ts'
import { nameOfBox } from '../lootboxes/own-columns.tsx'
import { texts as accountTexts } from '../texts.ts'
import { Odds } from './odds.tsx'
import { Proof } from './proof.tsx'
import { lootboxQuery, openLootbox } from './queries.ts'
import { texts } from './texts.ts'

export function LootboxPage() {
  const { id } = useParams({ from: '/account/lootboxes/$id' })
  const { data: box, error } = useQuery(lootboxQuery(id))
  const isSold = box?.status === 'Available'
  return (
    <div className="grid gap-3">
      <Link
        to={isSold ? '/account/lootboxes/for-sale' : '/account/lootboxes'}
        className={`${buttonLook('quiet')} -ml-3 justify-self-start`}
      >
        {isSold ? texts.toShop : texts.all}
      </Link>
      {box ? (
        <Box key={id} box={box} />
      ) : (
        <Section title={texts.title}>
          <DetailFallback error={error} text={texts.missing} />
        </Section>
      )}
    </div>
  )
}

function Box({ box }: { box: Lootbox }) {
  const [isNew, setNew] = useState(false)
  const { status, lootbox_type: type } = box
  return (
    <Section title={nameOfBox(box)} text={type?.description}>
      {status === 'Used' ? null : <Odds type={type} />}
      {status === 'Owned' || status === 'Available' ? (
        <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
          <ClosedBox />
          <p className="mr-auto grid justify-items-start gap-1">
            <Badge tone="main">{accountTexts.boxes.statuses[status]}</Badge>
            <span className="text-lg font-semibold">
              {type ? accountTexts.boxes.ids(type.config.size) : accountTexts.boxes.secret}
            </span>
            {status === 'Available' && type?.price_in_cents ? (
              <span className="text-xl font-bold">
                <span className="sr-only">{texts.price} </span>
                <WholePrice cents={type.price_in_cents} />
              </span>
            ) : null}
          </p>
          {status === 'Owned' ? (
            <OpenButton box={box} onOpened={() => setNew(true)} />
          ) : (
            <BuyButton box={box} />
          )}
        </Card>
      ) : null}
      {status === 'Used' ? <Contents box={box} isNew={isNew} /> : null}
      {status === 'Used' ? <Odds type={type} /> : null}
      <Proof box={box} />
    </Section>
  )
}

const ClosedBox = () => (
  <img src={artOf('🎁')} alt="" className="size-16 shrink-0" draggable={false} />
)

const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })

/** The contents of an opened box. Takes the focus and celebrates right after opening. */
function Contents({ box, isNew }: { box: Lootbox; isNew: boolean }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isNew) return
    // Wait until the dialog releases the focus.
    const timer = setTimeout(() => title.current?.focus())
    return () => clearTimeout(timer)
  }, [isNew])
  return (
    <Card className="grid gap-4">
      {isNew ? <Celebration ids={box.yats} /> : null}
      {isNew ? <BurstingBox /> : null}
      <Title titleRef={title} text={isNew ? texts.opened(box.yats.length) : texts.inside} />
      <ul className="grid divide-y divide-hair">
        {box.yats.map((id, nth) => (
          <li
            key={id}
            className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4 first:pt-0 last:pb-0 ${isNew ? 'lootbox-appear' : ''}`}
            style={isNew ? { animationDelay: `${600 + nth * 350}ms` } : undefined}
          >
            <EmojiId id={id} size={isNew ? 'large' : 'normal'} />
            <span className="ml-auto flex flex-wrap items-center justify-end gap-x-4 gap-y-1">
              <span className="text-soft">{texts.score(box.scores[nth] ?? 0)}</span>
              <span className="font-semibold">
                <Money cents={box.prices[nth] ?? 0} />
              </span>
              <Link to="/account/ids/$id" params={{ id }} className={buttonLook('second')}>
                {texts.manage}
                <span className="sr-only">: {spokenNames(id)}</span>
              </Link>
            </span>
          </li>
        ))}
      </ul>
      <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-1 border-t border-hair pt-4">
        <dt className="text-soft">{texts.average}</dt>
        <dd className="text-right tabular-nums">{tenths.format(box.average_rhythm_score)}</dd>
        <dt className="text-soft">{texts.worth}</dt>
        <dd className="text-right font-bold">
          <Money cents={box.total_value} />
        </dd>
      </dl>
    </Card>
  )
}

/** The closed box trembles, bursts and makes room for its ids. */
const BurstingBox = () => (
  <img
    src={artOf('🎁')}
    alt=""
    draggable={false}
    className="lootbox-burst pointer-events-none mx-auto size-24 motion-reduce:hidden"
  />
)

const Title = ({ titleRef, text }: { titleRef: Ref<HTMLHeadingElement>; text: string }) => (
  <h2 ref={titleRef} tabIndex={-1} className="outline-none">
    {text}
  </h2>
)

const bits = 28
const shownForMs = 2_600

/** Animates the emojis of an opened box once. Hidden from screen readers and off with reduced motion. */
function Celebration({ ids }: { ids: readonly string[] }) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), shownForMs)
    return () => clearTimeout(timer)
  }, [])
  const emojis = ids.flatMap((id) => emojisOf(parseTonedEmojiId(id).id))
  if (isOver || emojis.length === 0) return null
  return (
    <div
      aria-hidden="true"
      data-celebration
      className="pointer-events-none fixed inset-0 z-10 overflow-hidden motion-reduce:hidden"
    >
      {Array.from({ length: bits }, (_, nth) => (
        <img
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are interchangeable
          key={nth}
          src={artOf(emojis[nth % emojis.length] ?? '')}
          alt=""
          className="lootbox-bit absolute top-1/2 left-1/2 size-9"
          style={flightOf(nth)}
        />
      ))}
    </div>
  )
}

/** Alternates near and far positions on a circle. */
function flightOf(nth: number): React.CSSProperties {
  const angle = (nth / bits) * 2 * Math.PI
  const reach = 24 + ((nth * 7) % 5) * 7
  return {
    '--to-x': `${Math.cos(angle) * reach}vmax`,
    '--to-y': `${Math.sin(angle) * reach}vmax`,
    '--turn': `${(nth % 2 ? 1 : -1) * (120 + ((nth * 37) % 240))}deg`,
    animationDelay: `${(nth % 4) * 90}ms`,
  } as React.CSSProperties
}

function BuyButton({ box }: { box: Lootbox }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const addMutation = useAction({
    mutationFn: () => ensureInCart({ lootbox_id: box.id }),
    onSuccess: (cart) => {
      queries.setQueryData(cartQuery.queryKey, cart)
      return navigate({ to: '/cart' })
    },
  })
  return (
    <div className="grid justify-items-start gap-3">
      <Button isBusy={addMutation.isPending} onClick={() => addMutation.mutate()}>
        {texts.buy}
      </Button>
      <ErrorOf thrown={addMutation.error} />
    </div>
  )
}

type OpenButtonProps = { box: Lootbox; onOpened: () => void }

function OpenButton({ box, onOpened }: OpenButtonProps) {
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  return (
    <div>
      <Button onClick={() => setAsking(true)} className="sm:min-w-52">
        {texts.open}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={texts.openTitle}
          text={texts.openText}
          action={texts.openAction}
          run={() => openLootbox(box.id)}
          onDone={(openedBox) => {
            onOpened()
            queries.setQueryData(lootboxQuery(box.id).queryKey, openedBox)
            announce(texts.opened(openedBox.yats.length))
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}
