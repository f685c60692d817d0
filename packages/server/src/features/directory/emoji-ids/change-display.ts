import type { EmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './emoji-ids.ts'
import * as ids from './repository.ts'

export const changeDisplay = ({ now }: Deps, trx: Transaction, id: EmojiId, text: string) =>
  ids.setDisplay(trx, id, text, now())
