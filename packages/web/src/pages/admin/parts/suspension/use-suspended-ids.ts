import { useQuery } from '@tanstack/react-query'
import { suspensionsQuery } from './queries.ts'

/** The suspended ids of a user, in their display format; undefined while they load. */
export function useSuspendedIds(user_id: string): ReadonlySet<string> | undefined {
  const { data } = useQuery(suspensionsQuery(user_id))
  return data && new Set(data.data.map(({ emoji_id }) => emoji_id))
}
