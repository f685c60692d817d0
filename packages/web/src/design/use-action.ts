import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

type Options<Data, Input> = UseMutationOptions<Data, Error, Input> & {
  mutationFn: (input: Input) => Promise<Data>
}

/**
 * The action of a button or form. A second press while it runs does nothing, even before the first
 * one renders. Navigate in `onSuccess` here, because the pressed element may be unmounted by then;
 * the action stays busy until that is done.
 */
export function useAction<Data, Input = void>({
  onSettled,
  ...options
}: Options<Data, Input>): UseMutationResult<Data, Error, Input> {
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
    (...args) => {
      if (isUnderWay.current) return
      isUnderWay.current = true
      mutate(...args)
    },
    [mutate],
  )
  return { ...action, mutate: press } as typeof action
}
