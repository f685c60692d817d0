import { parseTonedEmojiId } from '@emojid/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ensureInCart } from '../../api/cart-items.ts'
import { asProblem } from '../../api/problem.ts'
import { cacheCart } from '../../api/shop.ts'
import { wantedIds } from '../../api/wanted-ids.ts'
import { useAction } from '../../design/use-action.ts'
import { readCart } from './address.ts'

/**
 * Adds the id in the URL to the cart once, and removes it from the URL. Anyone can send such a link,
 * so the page asks first unless the visitor chose the id in this browser.
 */
export function useAddWanted() {
  const { add } = readCart(useSearch({ from: '/cart' }))
  const navigate = useNavigate()
  const isQuestion = add !== undefined && isId(add) && !wantedIds.has(add)
  const startedId = useRef<string>(undefined)
  const addMutation = useAction({
    mutationFn: (emoji_id: string) => ensureInCart({ emoji_id }),
    onSuccess: cacheCart,
    onSettled(_cart, error) {
      // Keep the id in the URL after a network error, so that a reload tries again.
      if (error && [0, 503].includes(asProblem(error).status)) return
      return navigate({ to: '/cart', search: {}, replace: true })
    },
  })
  useEffect(() => {
    if (!add || startedId.current === add || isQuestion) return
    startedId.current = add
    addMutation.mutate(add)
  }, [add, isQuestion, addMutation.mutate])
  return { ...addMutation, asked: isQuestion ? add : undefined }
}

/** The API reports the error of an invalid id. */
function isId(text: string): boolean {
  try {
    return Boolean(parseTonedEmojiId(text))
  } catch {
    return false
  }
}
