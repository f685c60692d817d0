import { bindUseCases } from '../../../platform/bind.ts'
import { callProxy } from './call-proxy.ts'
import type { Deps, Options } from './deps.ts'

export type ProxyServices = ReturnType<typeof createProxy>

/** Requests that web pages cannot make because of CORS. */
export function createProxy(options: Options) {
  const deps: Deps = { ...options, fetching: [] }
  return bindUseCases(deps, {
    callProxy,
  })
}
