/** A pending recovery; one per user. */
export type SecondFactorRecoveriesTable = { user_id: string; asked_at: Date; ends_at: Date }
