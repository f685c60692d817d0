import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'

const keys = ['SvcPageData', 'SvcLinkData', 'VisualizerData', 'VisualizerFileLocations'] as const

export type StoreKey = (typeof keys)[number]

type StoreEntry = { data?: unknown; is_locked: boolean; updated_at: string }

export type StoredData = Readonly<Record<StoreKey, StoreEntry>>

/** The key-value data of an id beside its records. */
export const storeQuery = (eid: string) =>
  queryOptions({
    queryKey: ['store', eid],
    queryFn: async (): Promise<StoredData> => {
      const params = { path: { eid }, query: { keys: keys.join() } }
      // The response has an entry for each requested key.
      const entries: object = await unwrap(api.GET('/emoji_id/{eid}/json', { params }))
      return entries as StoredData
    },
    staleTime: 0,
  })

/** With `if_updated_at` the write is refused (409) if another session wrote since. */
export const writeStore = (eid: string, key: StoreKey, data: unknown, if_updated_at?: string) => {
  const body = { data, ...(if_updated_at ? { if_updated_at } : {}) }
  return unwrap(api.POST('/emoji_id/{eid}/json/{key}', { params: { path: { eid, key } }, body }))
}
