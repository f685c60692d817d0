import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

type Options<Data, Given> = UseMutationOptions<Data, Error, Given> & {
  mutationFn: (given: Given) => Promise<Data>
}

/**
 * What a button or a form does. Another press while it is under way does nothing: the first one may
 * not be shown yet. Where to go afterwards belongs into `onSuccess` here, as what was pressed may be
 * gone by then; until that is done too, it is under way.
 */
export function useAction<Data, Given = void>({
  onSettled,
  ...options
}: Options<Data, Given>): UseMutationResult<Data, Error, Given> {
  const isUnderWay = useRef(false)
  const action = useMutation({
    ...options,
    async onSettled(...how) {
      isUnderWay.current = false
      await onSettled?.(...how)
    },
  })
  const { mutate } = action
  const press: typeof mutate = useCallback(
    (...given) => {
      if (isUnderWay.current) return
      isUnderWay.current = true
      mutate(...given)
    },
    [mutate],
  )
  return { ...action, mutate: press } as typeof action
}
