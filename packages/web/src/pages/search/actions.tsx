import { useRouter } from '@tanstack/react-router'
import { addToCart } from '../../api/cart-items.ts'
import { asProblem, offline } from '../../api/problem.ts'
import { addInterest, type SearchAnswer } from '../../api/search.ts'
import { accessToken } from '../../api/session.ts'
import { cacheCart } from '../../api/shop.ts'
import { wantedIds } from '../../api/wanted-ids.ts'
import { Button, buttonLook } from '../../design/button.tsx'
import { ErrorOf, Notice } from '../../design/feedback.tsx'
import { useAction } from '../../design/use-action.ts'
import { texts } from './answer-texts.ts'

type Props = {
  item: SearchAnswer['result']
  /** The chosen text, with skin tones. */
  text: string
  onLookAgain: () => void
}

/** The actions for an id. */
export function Actions({ item, text, onLookAgain }: Props) {
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
