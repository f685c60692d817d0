import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import type { AnswerOf, BodyOf } from '../../../api/shapes.ts'

export type ApiKey = AnswerOf<'listApiKeys'>[number]

export type NewApiKey = AnswerOf<'createApiKey'>

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: () => unwrap(api.GET('/api_keys')),
  staleTime: 0,
})

export const walletsQuery = queryOptions({
  queryKey: ['wallets'],
  queryFn: () => unwrap(api.GET('/wallets')),
  staleTime: 0,
})

export const createApiKey = (body: BodyOf<'createApiKey'>) =>
  unwrap(api.POST('/api_keys', { body }))

export const deleteApiKey = (id: string) =>
  unwrap(api.DELETE('/api_keys/{id}', { params: { path: { id } } }))

/** Creates a key pair whose private key we hold. */
export const makePubkey = () => unwrap(api.POST('/pubkeys'))

export const addPubkey = (pubkey: string) =>
  unwrap(api.POST('/pubkeys/{pubkey}', { params: { path: { pubkey } } }))

export const provePubkey = (pubkey: string, body: { nonce: string; signature: string }) =>
  unwrap(api.POST('/pubkeys/{pubkey}/prove', { params: { path: { pubkey } }, body }))

/** The message that a wallet signs: once, within ten minutes. */
export const createChallenge = (eth_address: string) =>
  unwrap(api.POST('/wallets/challenge', { body: { eth_address } }))

type WalletProof = { eth_address: string; message: string; signature: string }

export const connectWallet = (proof: WalletProof) =>
  unwrap(api.POST('/wallets', { body: { ...proof, source: 'Dashboard' } }))

export const disconnectWallet = (eth_address: string) =>
  unwrap(api.DELETE('/wallets/{eth_address}', { params: { path: { eth_address } } }))

type NewKey = BodyOf<'createApiKey'>
export type Scope = NonNullable<NewKey['scopes']>[number]
