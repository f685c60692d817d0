import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { queries } from './query-client.ts'

export type NewRecord = { tag: string; data: string }
export type StoredRecord = NewRecord & { hash: string; recent?: number }
type Edit = {
  insert: NewRecord[]
  delete?: string[]
  bypass_single_restrictions?: boolean
  merkle_root?: string
  order?: string[]
}

/** The public records of an id. */
export const recordsQuery = (emoji_id: string) =>
  queryOptions({
    queryKey: ['records', emoji_id],
    queryFn: async () => {
      const params = { path: { emoji_id } }
      return (await unwrap(api.GET('/emoji_id/{emoji_id}', { params }))).result
    },
    staleTime: 0,
  })

/** The hashes of the records that this page showed last. */
export const shownRecords = (emoji_id: string): string[] =>
  (queries.getQueryData(recordsQuery(emoji_id).queryKey) ?? []).map(({ hash }) => hash)

export const editRecords = (emoji_id: string, body: Edit) =>
  unwrap(api.PATCH('/emoji_id/{emoji_id}', { params: { path: { emoji_id } }, body }))
