import { queryOptions } from '@tanstack/react-query'
import type { operations } from '../generated/api.ts'
import { api, told } from './client.ts'

type Answer<Name extends 'listApiKeys' | 'createApiKey' | 'describePubkeys'> =
  operations[Name]['responses'][200]['content']['application/json']
export type ApiKey = Answer<'listApiKeys'>[number]
export type NewApiKey = Answer<'createApiKey'>
export type OwnPubkey = Answer<'describePubkeys'>[number]

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: () => told(api.GET('/api_keys')),
  staleTime: 0,
})

export const pubkeysQuery = queryOptions({
  queryKey: ['pubkeys'],
  queryFn: () => told(api.GET('/account/pubkeys')),
  staleTime: 0,
})

export const walletsQuery = queryOptions({
  queryKey: ['wallets'],
  queryFn: () => told(api.GET('/wallets')),
  staleTime: 0,
})

/** What a key signs to show whose it is. */
export const proofDomain = 'emojid/pubkey-proof/v1'
export const proofMessage = (pubkey: string, user_id: string): string =>
  `The key ${pubkey} belongs to the account ${user_id}.`

/** What a wallet signs. */
export const walletMessage = (user_id: string): string =>
  `Connect this wallet to my Emoji Id Directory account ${user_id}.`
