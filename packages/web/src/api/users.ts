/** What an account is in the whole service; what it is in organizations is told apart. */
export const globalRoles = ['User', 'Bot', 'Admin', 'Super'] as const
