import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Organizations that you act for. Once you accept, an organization sees your email address, your account id and what you do for it, but none of your own emoji ids or orders.',
    caption: 'Your memberships',
    columns: { name: 'Organization', role: 'Your role', since: 'Accepted', actions: 'Actions' },
    roles: { OrgMember: 'Member', OrgController: 'Controller', OrgOwner: 'Owner' },
    none: 'You are not a member of an organization. Invitations to your confirmed email address appear here.',
    placed: 'Our team added you',
    raised: 'An owner made you one',
    accept: 'Accept',
    decline: 'Decline',
    leave: 'Leave',
    of: (name: string) => `: ${name}`,
    invitations: 'Invitations',
    invitationsText: 'Accept only if you know the organization.',
    invitationColumns: {
      name: 'Organization',
      role: 'Role',
      until: 'Valid until',
      actions: 'Actions',
    },
    acceptTitle: (name: string) => `Join ${name}?`,
    acceptText: (role: string) =>
      `You join as ${role}. The organization will see your email address, your account id and what you do for it. You can leave at any time, except as its last owner.`,
    accepted: (name: string) => `You are a member of ${name}.`,
    declineTitle: (name: string) => `Decline the invitation of ${name}?`,
    declineText: 'The organization learns nothing about your account.',
    declined: 'Invitation declined.',
    membersOf: (name: string) => `Members of ${name}`,
    membersText:
      'Controllers manage emoji ids and codes. Owners also manage members and the branding.',
    leaveTitle: (name: string) => `Leave ${name}?`,
    leaveText:
      'You can’t act for the organization any more. Only a new invitation brings you back.',
    left: (name: string) => `You left ${name}.`,
  },
})
