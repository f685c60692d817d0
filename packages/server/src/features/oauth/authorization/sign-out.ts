import type { Deps } from './deps.ts'

export const signOut = ({ sessions }: Deps, handle: string): Promise<void> =>
  sessions.endSiteSession(handle)
