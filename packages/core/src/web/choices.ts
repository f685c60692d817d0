// The values that people choose from: the service checks them, and its pages offer them.

/** Roles in the whole service, lowest first. */
export const globalRoles = ['User', 'Bot', 'Admin', 'Super'] as const
/** Roles in one organization, lowest first. */
export const memberRoles = ['OrgMember', 'OrgController', 'OrgOwner'] as const

export const storeKeys = [
  'SvcPageData',
  'SvcLinkData',
  'VisualizerData',
  'VisualizerName',
  'VisualizerFileLocations',
] as const

export const jobStates = ['waiting', 'running', 'failed', 'given_up'] as const
export const lootboxStatuses = ['Draft', 'Available', 'Owned', 'Used'] as const
export const endpointStatuses = ['active', 'paused', 'disabled', 'stopped'] as const

/** The limits of a code that a change can remove. */
export const clearableLimits = [
  'start_date',
  'end_date',
  'max_uses',
  'max_emojis_per_user',
  'pattern',
] as const
