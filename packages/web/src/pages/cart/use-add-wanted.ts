import { parseTonedEmojiId } from '@emojid/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { keepInCart } from '../../api/cart-items.ts'
import { asProblem } from '../../api/problem.ts'
import { keepCart } from '../../api/shop.ts'
import { wantedIds } from '../../api/wanted-ids.ts'
import { useAction } from '../../design/use-action.ts'
import { readCart } from './address.ts'

/**
 * Puts the id that the address names into the cart, once, and takes it out of the address. Anybody can
 * make such a link: who did not choose the id here is asked.
 */
export function useAddWanted() {
  const { add } = readCart(useSearch({ from: '/cart' }))
  const navigate = useNavigate()
  const isQuestion = add !== undefined && isId(add) && !wantedIds.has(add)
  const begun = useRef<string>(undefined)
  const adding = useAction({
    mutationFn: (emoji_id: string) => keepInCart({ emoji_id }),
    onSuccess: keepCart,
    onSettled(_cart, thrown) {
      // Whoever loads the page again after a bad connection gets it still.
      if (thrown && [0, 503].includes(asProblem(thrown).status)) return
      return navigate({ to: '/cart', search: {}, replace: true })
    },
  })
  useEffect(() => {
    if (!add || begun.current === add || isQuestion) return
    begun.current = add
    adding.mutate(add)
  }, [add, isQuestion, adding.mutate])
  return { ...adding, asked: isQuestion ? add : undefined }
}

/** The service says what is wrong with anything else. */
function isId(text: string): boolean {
  try {
    return Boolean(parseTonedEmojiId(text))
  } catch {
    return false
  }
}
