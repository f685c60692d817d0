import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import type { AnswerOf } from './shapes.ts'

export type OwnPubkey = AnswerOf<'describePubkeys'>[number]

export const pubkeysQuery = queryOptions({
  queryKey: ['pubkeys'],
  queryFn: () => unwrap(api.GET('/account/pubkeys')),
  staleTime: 0,
})
