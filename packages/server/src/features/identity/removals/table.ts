/** A person whose account an operator deactivated. */
export type RemovedPeopleTable = { user_id: string; removed_at: Date }

/** The verified mailboxes of removed people, as hashes. */
export type RemovedMailboxesTable = { mailbox_sha256: Buffer; user_id: string }

/** Every mailbox that an account verified, as hashes. A trigger writes them. */
export type VerifiedMailboxesTable = { user_id: string; mailbox_sha256: Buffer }

/** A deleted account whose mailboxes and cards are stored until then. */
export type RetainedPeopleTable = { user_id: string; until: Date }

/** A card that a user paid with. */
export type CardFingerprintsTable = { fingerprint: string; user_id: string; seen_at: Date }
