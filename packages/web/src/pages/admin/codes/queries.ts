import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { idempotencyHeader } from '../../../api/idempotency-keys.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { AnswerOf, BodyOf } from '../../../api/shapes.ts'

export const codeTypes = ['Discount', 'RandomYat'] as const

export type Code = AnswerOf<'listCodes'>['data'][number]

export type NewCode = BodyOf<'createCode'>

export type CodeChange = BodyOf<'updateCode'>

type Question = {
  page: number
  q: string | undefined
  code_type: (typeof codeTypes)[number] | undefined
}

export const codePageQuery = (question: Question) =>
  queryOptions({
    queryKey: ['codes', 'page', question],
    queryFn: () =>
      unwrap(api.GET('/codes', { params: { query: { limit: 50, ...omitEmpty(question) } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Null if the code does not exist. */
export const codeQuery = (id: string) =>
  queryOptions({
    queryKey: ['codes', id],
    queryFn: async () => {
      const { data } = await unwrap(api.GET('/codes', { params: { query: { q: id } } }))
      return data.find((code) => code.id === id) ?? null
    },
    staleTime: 0,
  })

export const codeUsesQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['codes', id, 'uses', page],
    queryFn: () =>
      unwrap(
        api.GET('/admin/codes/{id}/uses', {
          params: { path: { id }, query: { page, limit: 20 } },
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** The organizations that can have codes. */
export const organizationChoicesQuery = queryOptions({
  queryKey: ['organizations', 'choices'],
  queryFn: () =>
    unwrap(
      api.GET('/admin/organizations', {
        params: { query: { limit: 200, sort: 'name', dir: 'Asc' } },
      }),
    ),
})

type CodeKey = { code_id: string; pubkey: string }

export const codeActions = {
  create: (body: NewCode, key: string) =>
    unwrap(api.POST('/admin/codes', { body, ...idempotencyHeader(key) })),
  change: (id: string, body: CodeChange) =>
    unwrap(api.PATCH('/admin/codes/{id}', { params: { path: { id } }, body })),
  remove: (id: string, reason: string) =>
    unwrap(api.DELETE('/admin/codes/{id}', { params: { path: { id }, query: { reason } } })),
  addKey: (path: CodeKey, reason: string) =>
    unwrap(api.POST('/codes/{code_id}/pubkeys/{pubkey}', { params: { path, query: { reason } } })),
  revokeKey: (path: CodeKey, reason: string) =>
    unwrap(
      api.DELETE('/codes/{code_id}/pubkeys/{pubkey}', { params: { path, query: { reason } } }),
    ),
}
