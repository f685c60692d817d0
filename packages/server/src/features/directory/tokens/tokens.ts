import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps, Options, SigningGuard } from './deps.ts'
import { listTokens, showMetadata } from './read-tokens.ts'
import { setMinted } from './set-minted.ts'
import { signMint } from './sign-mint.ts'

export type Tokens = ReturnType<typeof createTokens>

/** Ids as tokens of a blockchain: mint signatures, minted ids and the metadata for markets. */
export function createTokens(options: Options) {
  const beforeSigned: SigningGuard[] = []
  const deps: Deps = { ...options, beforeSigned }
  return {
    ...bindUseCases(deps, {
      signMint,
      setMinted,
      listTokens,
      showMetadata,
    }),
    beforeSigned: (check: SigningGuard) => void beforeSigned.push(check),
  }
}
