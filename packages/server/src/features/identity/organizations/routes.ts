import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listOf } from '../../../platform/http/api/paging.ts'
import { groupRoutes, Nothing, OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { Organizations } from './organizations.ts'
import * as schema from './schema.ts'

type Options = { organizations: Organizations }

export const organizationRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { organizations } = options
  groupRoutes(app, 'Operators')

  app.get('/organizations', {
    config: { access: 'organizationList:read' },
    schema: {
      operationId: 'listOwnOrganizations',
      tags: ['Organizations'],
      summary: 'List the organizations of the current user',
      response: { 200: schema.OwnOrganizations },
    },
    handler: async (request) => organizations.listOrganizationsOf(callerOf(request).user_id),
  })

  app.post('/admin/organizations', {
    config: { access: 'organization:admin', sensitive: 'code_or_nothing', idempotent: true },
    schema: {
      operationId: 'createOrganization',
      summary: 'Create an organization',
      body: schema.NewOrganization,
      response: { 200: schema.OrganizationWithKey },
    },
    handler: async (request) => organizations.createOrganization(callerOf(request), request.body),
  })

  app.get('/admin/organizations', {
    config: {
      access: 'organization:admin',
      csv: ['id', 'name', 'partner_path', 'client_fee_percent', 'created_at'],
    },
    schema: {
      operationId: 'listOrganizations',
      summary: 'List all organizations',
      ...listOf(schema.OrganizationQuery, schema.Organization),
    },
    handler: async ({ query }) => organizations.listOrganizations(query),
  })

  app.get('/admin/organizations/:id', {
    config: { access: 'user', key_scopes: ['organization:admin', 'organization:read'] },
    schema: {
      operationId: 'showOrganization',
      summary: 'Show an organization',
      description: 'For administrators and members of the organization.',
      params: schema.OrganizationParams,
      response: { 200: schema.OrganizationWithKey },
    },
    handler: async (request) =>
      organizations.showOrganization(callerOf(request), request.params.id),
  })

  app.patch('/admin/organizations/:id', {
    config: {
      access: 'user',
      key_scopes: ['organization:write'],
      sensitive: 'code_or_nothing',
      more_scopes: ['organization:admin'],
    },
    schema: {
      operationId: 'updateOrganization',
      summary: 'Change an organization',
      description:
        'Owners, and their API keys with organization:write, can change the name. Administrators can also change the partner path and the fee. The partner path requires a fresh code, or a sign-in within the last 15 minutes from accounts without a second factor; API keys can’t change it.',
      params: schema.OrganizationParams,
      body: schema.OrganizationChange,
      response: { 200: schema.OrganizationWithKey },
    },
    handler: async (request) =>
      organizations.changeOrganization(callerOf(request), request.params.id, request.body),
  })

  app.get('/admin/organizations/:id/members', {
    config: {
      access: 'user',
      key_scopes: ['organizationUser:read'],
      csv: ['user_id', 'email', 'role', 'created_at', 'accepted_at'],
    },
    schema: {
      operationId: 'listMembers',
      summary: 'List the members of an organization',
      description:
        'Names the account and the address of members who accepted. Operators see all of them.',
      params: schema.OrganizationParams,
      response: { 200: schema.MemberList },
    },
    handler: async (request) => organizations.listMembers(callerOf(request), request.params.id),
  })

  app.put('/admin/organizations/:id/members/:user_id', {
    // Owners set where users are redirected with tokens.
    config: {
      access: 'user',
      key_scopes: ['organizationUser:admin'],
      sensitive: 'code_or_sign_in',
    },
    schema: {
      operationId: 'putMember',
      summary: 'Change the role of a member',
      description:
        'Not available to API keys. We email the owners of the organization and the member. Only administrators add a person this way, and the person gets an email; owners invite.',
      params: schema.MemberParams,
      body: schema.MemberBody,
      response: { 200: schema.MemberList },
    },
    handler: async (request) => {
      const { id, user_id } = request.params
      return organizations.putMember(callerOf(request), id, user_id, request.body)
    },
  })

  app.delete('/admin/organizations/:id/members/:user_id', {
    config: {
      access: 'user',
      key_scopes: ['organizationUser:admin'],
      sensitive: 'code_or_sign_in',
    },
    schema: {
      operationId: 'removeMember',
      summary: 'Remove a member from an organization',
      description:
        'Not available to API keys. We email the owners of the organization and the member.',
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

  const invitations = '/admin/organizations/:id/invitations'

  app.get(invitations, {
    config: { access: 'user', key_scopes: ['organizationUser:read'] },
    schema: {
      operationId: 'listInvitations',
      summary: 'List the open invitations of an organization',
      params: schema.OrganizationParams,
      response: { 200: schema.InvitationList },
    },
    handler: async (request) => organizations.listInvitations(callerOf(request), request.params.id),
  })

  app.post(invitations, {
    config: {
      access: 'user',
      key_scopes: ['organizationUser:admin'],
      sensitive: 'code_or_sign_in',
    },
    schema: {
      operationId: 'inviteMember',
      summary: 'Invite a person to an organization',
      description:
        'Not available to API keys. The person gets an email and decides in the account with this address. The response is the same whether the account exists. An invitation expires after seven days, and ends when its author can no longer manage members. A new one to the same address replaces the former.',
      params: schema.OrganizationParams,
      body: schema.NewInvitation,
      response: { 200: schema.Invitation },
    },
    handler: async (request) =>
      organizations.inviteMember(callerOf(request), request.params.id, request.body),
  })

  app.delete(`${invitations}/:invitation_id`, {
    config: {
      access: 'user',
      key_scopes: ['organizationUser:admin'],
      sensitive: 'code_or_sign_in',
    },
    schema: {
      operationId: 'withdrawInvitation',
      summary: 'Withdraw an invitation',
      description: 'Not available to API keys.',
      params: schema.InvitationParams,
      querystring: OptionalReasonBody,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      const { id, invitation_id } = request.params
      const { reason } = request.query
      await organizations.withdrawInvitation(callerOf(request), id, invitation_id, reason)
      return {}
    },
  })

  app.get('/account/invitations', {
    config: { access: 'session' },
    schema: {
      operationId: 'listOwnInvitations',
      tags: ['Organizations'],
      summary: 'List the invitations to the confirmed address of the current user',
      response: { 200: schema.OwnInvitationList },
    },
    handler: async (request) => organizations.listOwnInvitations(callerOf(request)),
  })

  app.post('/account/invitations/:invitation_id/accept', {
    config: { access: 'session', sensitive: 'code_or_sign_in' },
    schema: {
      operationId: 'acceptInvitation',
      tags: ['Organizations'],
      summary: 'Join an organization',
      description:
        'From then on the organization sees the email address and the account id of the user, and what the user does for it.',
      params: schema.OwnInvitationParams,
      response: { 200: schema.OwnOrganizations },
    },
    handler: async (request) =>
      organizations.acceptInvitation(callerOf(request), request.params.invitation_id),
  })

  app.delete('/account/invitations/:invitation_id', {
    config: { access: 'session' },
    schema: {
      operationId: 'declineInvitation',
      tags: ['Organizations'],
      summary: 'Decline an invitation',
      params: schema.OwnInvitationParams,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      await organizations.declineInvitation(callerOf(request), request.params.invitation_id)
      return {}
    },
  })

  app.post('/organizations/:id/membership/accept', {
    config: { access: 'session', sensitive: 'code_or_sign_in' },
    schema: {
      operationId: 'acceptMembership',
      tags: ['Organizations'],
      summary: 'Accept a membership that an operator began, or the role of owner',
      description:
        'From then on the organization sees the email address and the account id of the user. An owner whose role another member raised accepts it here, or leaves at any time. The body names the role that the user saw: another member may have changed it meanwhile.',
      params: schema.OrganizationParams,
      body: schema.AcceptedRole,
      response: { 200: schema.OwnOrganizations },
    },
    handler: async (request) =>
      organizations.acceptMembership(callerOf(request), request.params.id, request.body.role),
  })

  app.delete('/organizations/:id/membership', {
    config: { access: 'session', sensitive: 'code_or_sign_in' },
    schema: {
      operationId: 'leaveOrganization',
      tags: ['Organizations'],
      summary: 'Leave an organization',
      description:
        'The last owner who accepted invites another one first. We email the member a link that undoes it for three days.',
      params: schema.OrganizationParams,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      await organizations.leaveOrganization(callerOf(request), request.params.id)
      return {}
    },
  })
}
