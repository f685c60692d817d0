/** Roles in the whole service; roles in organizations are separate. */
export const globalRoles = ['User', 'Bot', 'Admin', 'Super'] as const
