/**
 * The bounds of what people type, as members of a JSON schema and of a form field. The service
 * checks them; its pages, the browser app and their texts name them. A bound that no form needs
 * stays beside its rule.
 */
export const textLengths = {
  email: { maxLength: 254 },
  password: { minLength: 8 },
  /** The name of people, organizations, applications, codes, keys and types of lootboxes. */
  name: { maxLength: 100 },
  passkeyName: { maxLength: 60 },
  /** Longer than any code, so that the person reads why theirs is wrong. */
  secondFactorCode: { maxLength: 100 },
  /** Why an operator acts, for the audit log. */
  reason: { minLength: 3, maxLength: 500 },
  report: { minLength: 10, maxLength: 2_000 },
  /** Emailed to the people who reported an id. */
  decisionNote: { minLength: 3, maxLength: 1_000 },
  refundReason: { maxLength: 1_000 },
  payoutReference: { minLength: 3, maxLength: 200 },
  cashReference: { maxLength: 255 },
  transferMessage: { maxLength: 1_000 },
  lootboxDescription: { maxLength: 2_000 },
  search: { maxLength: 200 },
  idPattern: { maxLength: 200 },
  /** The logo of an application. */
  logo: { maxLength: 1_000 },
  url: { maxLength: 2_048 },
} as const

/** Spaces and invisible characters do not count against a shortest length. */
export const withoutInvisible = (text: string): string =>
  text.replaceAll(/[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')

/** A box is opened in one transaction. */
export const lootboxLimits = { ids: 20, ranges: 10 } as const

export const pubkeysAtMost = 100
export const clientSecretsAtMost = 2
