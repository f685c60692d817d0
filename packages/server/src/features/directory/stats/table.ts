/** How often an id was looked up, and its page opened, on a UTC day. */
export type LookupCountsTable = { emoji_id: string; day: string; count: number; pages: number }
