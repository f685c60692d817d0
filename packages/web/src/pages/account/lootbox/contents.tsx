import { Link } from '@tanstack/react-router'
import { type Ref, useEffect, useRef } from 'react'
import type { Lootbox } from '../../../api/lootboxes.ts'
import { buttonLook } from '../../../design/button.tsx'
import { artOf, EmojiId, spokenNames } from '../../../design/emoji-id.tsx'
import { Card } from '../../../design/feedback.tsx'
import { Money } from '../../../design/money.tsx'
import { language } from '../../../language.ts'
import { Celebration } from './celebration.tsx'
import { texts } from './texts.ts'

const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })

/** The contents of an opened box. Takes the focus and celebrates right after opening. */
export function Contents({ box, isNew }: { box: Lootbox; isNew: boolean }) {
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
