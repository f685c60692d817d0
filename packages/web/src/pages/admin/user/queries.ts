import type { globalRoles } from '@emojid/core'
import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

/** A shared key prefix, so that one invalidation refetches all data of the account. */
const userKey = (id: string) => ['users', id]

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [...userKey(id), 'shown'],
    queryFn: () => unwrap(api.GET('/users/{id}', { params: { path: { id } } })),
  })

export const userFeaturesQuery = (id: string) =>
  queryOptions({
    queryKey: [...userKey(id), 'features'],
    queryFn: () => unwrap(api.GET('/admin/users/{id}/features', { params: { path: { id } } })),
  })

export const allFeaturesQuery = queryOptions({
  queryKey: ['features'],
  queryFn: () => unwrap(api.GET('/admin/features')),
})

type Role = (typeof globalRoles)[number]

/** The actions of operators on one account. */
export const userActions = (id: string) => {
  const params = { path: { id } }
  return {
    setRole: (role: Role, reason: string) =>
      unwrap(api.PATCH('/users/{id}', { params, body: { role, reason } })),
    setFreeLimit: (free_limit: number, reason: string) =>
      unwrap(api.PATCH('/users/{id}', { params, body: { free_limit, reason } })),
    activate: (reason: string) =>
      unwrap(api.POST('/admin/users/{id}/activate', { params, body: { reason } })),
    deactivate: (reason: string, suspend_ids: boolean) =>
      unwrap(api.POST('/admin/users/{id}/deactivate', { params, body: { reason, suspend_ids } })),
    removeSecondFactor: (reason: string) =>
      unwrap(api.POST('/admin/users/{id}/remove_2fa', { params, body: { reason } })),
    remove: (reason: string) =>
      unwrap(api.DELETE('/users/{id}', { params: { ...params, query: { reason } } })),
    setFeatures: (codes: string[], reason: string) =>
      unwrap(api.PUT('/admin/users/{id}/features', { params, body: { codes, reason } })),
  }
}

export type ShownUser = AnswerOf<'showUser'>
