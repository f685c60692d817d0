import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Nothing, OptionalReasonBody } from '../../../platform/http/schemas.ts'
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
      response: { 200: schema.OrganizationWithKey },
    },
    handler: async (request) => organizations.createOrganization(callerOf(request), request.body),
  })

  app.route({
    method: 'GET',
    url: '/admin/organizations',
    config: {
      access: 'organization:admin',
      csv: ['id', 'name', 'partner_path', 'client_fee_percent', 'created_at'],
    },
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
      description: 'For administrators and members of the organization.',
      params: schema.OrganizationParams,
      response: { 200: schema.OrganizationWithKey },
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
      description:
        'Owners can change the name. Administrators can also change the partner path and the fee.',
      params: schema.OrganizationParams,
      body: schema.OrganizationChange,
      response: { 200: schema.OrganizationWithKey },
    },
    handler: async (request) =>
      organizations.changeOrganization(callerOf(request), request.params.id, request.body),
  })

  app.route({
    method: 'GET',
    url: '/admin/organizations/:id/members',
    config: {
      access: 'user',
      key_scopes: ['organizationUser:read'],
      csv: ['user_id', 'email', 'role', 'created_at'],
    },
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
    // Owners set where users are redirected with tokens.
    config: { access: 'user', key_scopes: ['organizationUser:admin'], sensitive: 'recent_login' },
    schema: {
      operationId: 'putMember',
      tags,
      summary: 'Add a member or change their role',
      description: 'Not available to API keys. We email the owners of the organization.',
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
      summary: 'Remove a member from an organization',
      description: 'Not available to API keys. We email the owners of the organization.',
      params: schema.MemberParams,
      querystring: OptionalReasonBody,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      const { id, user_id } = request.params
      await organizations.removeMember(callerOf(request), id, user_id, request.query.reason)
      return {}
    },
  })
}
