import { emojisOf, type HeldEmoji, heldBackEmojis, nameOfEmoji, parseEmojiId } from '@emojid/core'
import { useRouter } from '@tanstack/react-router'
import { wantedIds } from '../../api/browser-notes.ts'
import { addToCart } from '../../api/cart-items.ts'
import { asProblem, offline } from '../../api/problem.ts'
import { addInterest, type SearchAnswer } from '../../api/search.ts'
import { accessToken } from '../../api/session.ts'
import { cacheCart } from '../../api/shop.ts'
import { Button, buttonLook } from '../../design/button.tsx'
import { Emoji } from '../../design/emoji-id.tsx'
import { Card, ErrorOf, Notice } from '../../design/feedback.tsx'
import { Money } from '../../design/money.tsx'
import { useAction } from '../../design/use-action.ts'
import { useFees } from '../../design/whole-price.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { texts } from './answer-texts.ts'
import { IdTiles } from './id-tiles.tsx'
import type { Selection } from './use-chosen.ts'

const badges = {
  Available: 'bg-good-ground text-good',
  Taken: 'bg-wrong-ground text-wrong',
  InCart: 'bg-tint text-main',
  ComingSoon: 'bg-tint text-main',
  NoPrice: 'bg-tint text-main',
}

type Props = {
  answer: SearchAnswer
  /** The advice for a taken id. */
  taken?: string | undefined
}

/** Whether an id is available, its price and the next step. */
export function Verdict({ answer, taken }: Props) {
  const { feesOn, partner } = useFees()
  const { availability, emoji_id } = answer.result
  const price = answer.result.price ?? 0
  const fees = feesOn(price)
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className={`rounded-full px-3 py-1 font-semibold text-sm ${badges[availability]}`}>
          {texts.availability[availability]}
        </span>{' '}
        {availability === 'Available' ? (
          <span className="font-bold text-2xl tracking-tight">
            <Money cents={price + fees} />
          </span>
        ) : null}
      </p>
      {availability === 'Available' && fees > 0 ? (
        <p className="text-soft">
          <Money cents={price} /> + <Money cents={fees} />{' '}
          {partner ? texts.partnerFee(partner) : sharedTexts.sums.fees}
        </p>
      ) : null}
      {availability === 'ComingSoon' ? <HeldBackReasons id={emoji_id} /> : null}
      {availability === 'Taken' || availability === 'InCart' || availability === 'NoPrice' ? (
        <p className="text-soft">
          {(availability === 'Taken' && taken) || texts.advice[availability]}
        </p>
      ) : null}
    </>
  )
}

function reasonOf({ reason, conflicts_with }: HeldEmoji): string {
  const text = texts.heldBack[reason as keyof typeof texts.heldBack]
  return typeof text === 'function' ? text(nameOfEmoji(conflicts_with ?? '')) : text
}

/** The unreleased emojis of an id, with reasons. */
export const HeldBackReasons = ({ id }: { id: string }) => (
  <>
    {[...new Set(emojisOf(parseEmojiId(id)))].map((emoji) => {
      const rule = heldBackEmojis().get(emoji)
      return rule ? (
        <p key={emoji} className="text-soft">
          <b className="first-letter:uppercase">{nameOfEmoji(emoji)}</b>: {reasonOf(rule)}
        </p>
      ) : null
    })}
  </>
)

type AboutProps = { answer: SearchAnswer; onChoose: () => void }

/** The score of an id, and similar ids. */
export function About({ answer: { result, alternates }, onChoose }: AboutProps) {
  const { rhythm_score: score, copy } = result
  return (
    <Card className="grid content-start gap-6">
      <div className="grid gap-3">
        <h2>{texts.score.title}</h2>
        <p className="flex items-baseline gap-2">
          <span className="sr-only">{texts.score.label}</span>
          <span className="bg-linear-to-br from-main to-[light-dark(#c026a3,#ff8fe0)] bg-clip-text font-bold text-5xl text-transparent tabular-nums tracking-tight">
            {score}
          </span>
          <span className="text-soft">{texts.score.of}</span>
        </p>
        <div aria-hidden="true" className="h-2.5 overflow-hidden rounded-full bg-hair">
          <div
            className="h-full rounded-full bg-linear-to-r from-main to-[light-dark(#c026a3,#ff8fe0)] transition-[width] duration-500"
            style={{ width: `${score}%` }}
          />
        </div>
        <ul className="list-disc space-y-1 pl-5 marker:text-main">
          {copy?.features.map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        </ul>
        <p className="text-sm text-soft">{texts.score.explanation}</p>
      </div>
      <div className="grid gap-3">
        <h2>{texts.alternates.title}</h2>
        {alternates.length > 0 ? (
          <IdTiles ids={alternates} onChoose={onChoose} />
        ) : (
          <p className="text-soft">{texts.alternates.none}</p>
        )}
      </div>
    </Card>
  )
}

type ActionsProps = {
  item: SearchAnswer['result']
  /** The chosen text, with skin tones. */
  text: string
  onLookAgain: () => void
}

/** The actions for an id. */
export function Actions({ item, text, onLookAgain }: ActionsProps) {
  const { availability, emoji_id } = item
  if (availability === 'Available') return <GetButton key={text} text={text} />
  if (availability === 'InCart')
    return (
      <Button look="second" onClick={onLookAgain}>
        {texts.checkAgain}
      </Button>
    )
  if (availability !== 'Taken') return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <a href={`/${encodeURIComponent(emoji_id)}`} className={buttonLook('second')}>
        {texts.seePage}
      </a>
      <WatchButton key={emoji_id} id={emoji_id} />
    </div>
  )
}

/** Adds the id to the cart and opens it. */
function GetButton({ text }: { text: string }) {
  const { history } = useRouter()
  // After the sign-in, the cart adds the id.
  const withSession = useSignedInAction(`/cart?add=${encodeURIComponent(text)}`)
  const loadMutation = useAction({
    mutationFn: () => {
      wantedIds.note(text)
      return withSession(async () => {
        await cacheCart(await addToCart({ emoji_id: text }))
      })
    },
    onSuccess: (isDone) => isDone && history.push('/cart'),
    // The id is already in the cart.
    onError: (error) => asProblem(error).code === 'eligibility' && history.push('/cart'),
  })
  const problem = loadMutation.error ? asProblem(loadMutation.error) : undefined
  return (
    <div className="grid justify-items-end gap-2">
      <Button
        className="min-w-36 text-lg"
        isBusy={loadMutation.isPending}
        onClick={() => loadMutation.mutate()}
      >
        {texts.get}
      </Button>
      <ErrorOf thrown={problem?.code === 'eligibility' ? undefined : problem} />
      {problem?.code === 'cart_locked' ? (
        <a href="/cart" className={buttonLook('second')}>
          {texts.cart}
        </a>
      ) : null}
    </div>
  )
}

function WatchButton({ id }: { id: string }) {
  const withSession = useSignedInAction(`/?q=${encodeURIComponent(id)}`)
  const telling = useAction({
    mutationFn: () => withSession(() => addInterest(id)),
  })
  const isKnown = telling.error ? asProblem(telling.error).code === 'uniqueness' : false
  if (telling.data || isKnown) return <Notice>{texts.told}</Notice>
  return (
    <>
      <Button isBusy={telling.isPending} onClick={() => telling.mutate()}>
        {texts.watch}
      </Button>
      <ErrorOf thrown={telling.error} />
    </>
  )
}

/** Runs an action for a signed-in visitor and reports success; others sign in first. */
function useSignedInAction(next: string) {
  const { history } = useRouter()
  return async (act: () => Promise<unknown>): Promise<boolean> => {
    // The sign-in page may have to be loaded.
    if (!navigator.onLine) throw offline()
    if (await accessToken()) {
      await act()
      return true
    }
    history.push(`/sign-in?next=${encodeURIComponent(next)}`)
    return false
  }
}

type ChosenBarProps = {
  chosen: Selection
  answer: SearchAnswer | undefined
  onLookAgain: () => void
}

/** On phones: the chosen id, its price and the action stay in sight while the visitor picks. */
export function ChosenBar({ chosen, answer, onLookAgain }: ChosenBarProps) {
  const { feesOn } = useFees()
  const { availability, price = 0 } = answer?.result ?? {}
  return (
    <section
      aria-label={texts.bar}
      className="fixed inset-x-0 bottom-0 z-10 flex min-h-20 items-center justify-between gap-3 border-hair border-t bg-card px-4 py-2 shadow-2xl sm:hidden"
    >
      <div className="grid min-w-0 gap-1">
        <p className="flex gap-0.5 text-2xl leading-none">
          {chosen.pieces.map(({ text, fault }, place) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: an emoji is identified by its position
            fault ? null : <Emoji key={place} emoji={text} />,
          )}
        </p>
        <p className="font-semibold leading-tight">
          {availability === 'Available' && price !== null ? (
            <Money cents={price + feesOn(price)} />
          ) : null}
          {availability && availability !== 'Available' ? texts.availability[availability] : null}
        </p>
      </div>
      {answer ? (
        <Actions item={answer.result} text={chosen.text} onLookAgain={onLookAgain} />
      ) : null}
    </section>
  )
}
