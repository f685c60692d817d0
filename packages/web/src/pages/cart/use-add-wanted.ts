import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { api, told } from '../../api/client.ts'
import { asProblem } from '../../api/problem.ts'
import { keepCart } from '../../api/shop.ts'
import { readCart } from './address.ts'

/** Puts the id that the address names into the cart, once, and takes it out of the address. */
export function useAddWanted() {
  const { add } = readCart(useSearch({ from: '/cart' }))
  const navigate = useNavigate()
  const begun = useRef<string>(undefined)
  const adding = useMutation({
    mutationFn: (emoji_id: string) =>
      told(api.POST('/cart', { body: { items: [{ emoji_id }] } })).catch((thrown) => {
        // It is there already: then all is well.
        if (asProblem(thrown).code === 'eligibility') return told(api.GET('/cart'))
        throw thrown
      }),
    onSuccess: keepCart,
    onSettled(_cart, thrown) {
      // Whoever loads the page again after a bad connection gets it still.
      if (thrown && [0, 503].includes(asProblem(thrown).status)) return
      return navigate({ to: '/cart', search: {}, replace: true })
    },
  })
  useEffect(() => {
    if (!add || begun.current === add) return
    begun.current = add
    adding.mutate(add)
  }, [add, adding.mutate])
  return adding
}
