import type { EmojiId } from '@emojid/core'
import { inField, ServiceError } from '../../platform/errors.ts'

export const interestsAtMost = 200

/** Where the web site shows what an id costs. */
export const searchPage = (webUrl: string, id: EmojiId): string =>
  `${webUrl}/?q=${encodeURIComponent(id)}`

export class UnknownInterestError extends ServiceError {
  override readonly name = 'Interests.UnknownInterestError'
  constructor(id: EmojiId) {
    super('not_found', 'unknown_interest', `You have not registered an interest in ${id}.`)
  }
}

export class AlreadyInterestedError extends ServiceError {
  override readonly name = 'Interests.AlreadyInterestedError'
  constructor(id: EmojiId) {
    const message = `You have registered your interest in ${id} already.`
    super('refused', 'uniqueness', message, inField('emoji_id', 'uniqueness', message))
  }
}

export class OwnIdError extends ServiceError {
  override readonly name = 'Interests.OwnIdError'
  constructor(id: EmojiId) {
    const message = `You have ${id} yourself.`
    super('refused', 'eligibility', message, inField('emoji_id', 'eligibility', message))
  }
}

export class TooManyInterestsError extends ServiceError {
  override readonly name = 'Interests.TooManyInterestsError'
  constructor() {
    const message = `You have ${interestsAtMost} interests. Delete some first.`
    super('refused', 'too_many_interests', message)
  }
}

export class LinkGoneError extends ServiceError {
  override readonly name = 'Interests.LinkGoneError'
  constructor() {
    super(
      'refused',
      'link_gone',
      'This link was used already or is too old. You get no further mail about this emoji id.',
    )
  }
}
