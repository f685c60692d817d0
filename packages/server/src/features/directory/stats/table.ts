/** How often an id was looked up on a UTC day. */
export type LookupCountsTable = { emoji_id: string; day: string; count: number }
