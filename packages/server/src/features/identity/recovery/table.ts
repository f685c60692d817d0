/** A second factor that its owner has lost, and that is removed after a wait; one per user. */
export type SecondFactorRecoveriesTable = { user_id: string; asked_at: Date; ends_at: Date }
