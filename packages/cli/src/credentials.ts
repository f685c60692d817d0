import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TokenStore, Tokens } from '@emojid/sdk'
import type { World } from './world.ts'

type StoredTokens = Record<string, Tokens>

export const credentialsPath = ({ env }: Pick<World, 'env'>): string =>
  join(
    env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'),
    'emojid/credentials.json',
  )

/** The tokens of an API address, in a file that only this user can read. */
export function fileTokens(world: Pick<World, 'env'>, api: string): TokenStore {
  const path = credentialsPath(world)
  return {
    load: () => read(path)[api],
    save(tokens) {
      const { [api]: _before, ...others } = read(path)
      const contents = tokens ? { ...others, [api]: tokens } : others
      if (Object.keys(contents).length === 0) return rmSync(path, { force: true })
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      // Written atomically: half a refresh token would end the session.
      const next = `${path}.${process.pid}`
      writeFileSync(next, `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600 })
      renameSync(next, path)
    },
  }
}

function read(path: string): StoredTokens {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as StoredTokens
  } catch {
    return {}
  }
}
