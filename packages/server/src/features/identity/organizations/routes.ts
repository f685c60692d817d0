import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MaybeWhy, Nothing } from '../../../platform/http/schemas.ts'
import { callerOf } from '../../operations/access/index.ts'
import type { Organizations } from './organizations.ts'
import * as schema from './schema.ts'

type Options = { organizations: Organizations }

export const organizationRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { organizations } = options
  const tags = ['Operators']

  app.route({
    method: 'GET',
    url: '/organizations',
    config: { access: 'organizationList:read' },
    schema: {
      operationId: 'listOwnOrganizations',
      tags: ['Organizations'],
      summary: 'List the organizations of the current user',
      response: { 200: schema.OwnOrganizations },
    },
    handler: async (request) => organizations.listOrganizationsOf(callerOf(request).user_id),
  })

  app.route({
    method: 'POST',
    url: '/admin/organizations',
    config: { access: 'organization:admin', sensitive: true, idempotent: true },
    schema: {
      operationId: 'createOrganization',
      tags,
      summary: 'Create an organization',
      body: schema.NewOrganization,
      response: { 200: schema.Organization },
    },
    handler: async (request) => organizations.createOrganization(callerOf(request), request.body),
  })

  app.route({
    method: 'GET',
    url: '/admin/organizations',
    config: { access: 'organization:admin' },
    schema: {
      operationId: 'listOrganizations',
      tags,
      summary: 'List all organizations',
      querystring: schema.OrganizationQuery,
      response: { 200: schema.OrganizationPage },
    },
    handler: async ({ query }) => organizations.listOrganizations(query),
  })

  app.route({
    method: 'GET',
    url: '/admin/organizations/:id',
    config: { access: 'user', key_scopes: ['organization:admin', 'organization:read'] },
    schema: {
      operationId: 'showOrganization',
      tags,
      summary: 'Show an organization',
      description: 'For administrators, and for its own members.',
      params: schema.OrganizationParams,
      response: { 200: schema.Organization },
    },
    handler: async (request) =>
      organizations.showOrganization(callerOf(request), request.params.id),
  })

  app.route({
    method: 'PATCH',
    url: '/admin/organizations/:id',
    config: {
      access: 'user',
      key_scopes: ['organization:write'],
      sensitive: true,
      more_scopes: ['organization:admin'],
    },
    schema: {
      operationId: 'updateOrganization',
      tags,
      summary: 'Change an organization',
      description: 'Its owners change the name; the partner path is for administrators.',
      params: schema.OrganizationParams,
      body: schema.OrganizationChange,
      response: { 200: schema.Organization },
    },
    handler: async (request) =>
      organizations.changeOrganization(callerOf(request), request.params.id, request.body),
  })

  app.route({
    method: 'GET',
    url: '/admin/organizations/:id/members',
    config: { access: 'user', key_scopes: ['organizationUser:read'] },
    schema: {
      operationId: 'listMembers',
      tags,
      summary: 'List the members of an organization',
      params: schema.OrganizationParams,
      response: { 200: schema.MemberList },
    },
    handler: async (request) => organizations.listMembers(callerOf(request), request.params.id),
  })

  app.route({
    method: 'PUT',
    url: '/admin/organizations/:id/members/:user_id',
    // Owners say where people are sent with tokens of theirs.
    config: { access: 'user', key_scopes: ['organizationUser:admin'], sensitive: 'recent_login' },
    schema: {
      operationId: 'putMember',
      tags,
      summary: 'Make a user a member, in a role',
      description: 'Not by an API key. The owners of the organization are told by mail.',
      params: schema.MemberParams,
      body: schema.MemberBody,
      response: { 200: schema.MemberList },
    },
    handler: async (request) => {
      const { id, user_id } = request.params
      return organizations.putMember(callerOf(request), id, user_id, request.body)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/admin/organizations/:id/members/:user_id',
    config: { access: 'user', key_scopes: ['organizationUser:admin'], sensitive: 'recent_login' },
    schema: {
      operationId: 'removeMember',
      tags,
      summary: 'Take a user out of an organization',
      description: 'Not by an API key. The owners of the organization are told by mail.',
      params: schema.MemberParams,
      querystring: MaybeWhy,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      const { id, user_id } = request.params
      await organizations.removeMember(callerOf(request), id, user_id, request.query.reason)
      return {}
    },
  })
}
