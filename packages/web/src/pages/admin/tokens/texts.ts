import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Minted ids, and ids with a mint signature. While a signature is valid, the id can’t be transferred, released or refunded.',
    caption: 'Ids with a mint signature or token',
    filters: 'Find ids',
    state: 'State',
    everyState: 'All states',
    states: {
      signed: 'Signature issued',
      ended: 'Signature expired, not minted',
      minted: 'Minted',
      none: 'Not minted',
    },
    columns: {
      id: 'Emoji id',
      owner: 'Owner',
      state: 'State',
      signatures: 'Signatures',
      actions: 'Actions',
    },
    noOwner: 'None',
    number: (id: number) => `Token ${id}`,
    holder: 'Token held by',
    blocked: 'Locked until',
    noSignatures: 'None',
    until: 'until',
    by: 'requested by',
    pages: 'Token pages',
    none: 'No matching ids.',
    mint: {
      label: 'Mark as minted …',
      title: 'Mark this id as minted',
      text: 'Check the contract first. A minted id can’t be refunded or released.',
      action: 'Mark as minted',
      done: 'Marked as minted.',
    },
    unmint: {
      label: 'Mark as not minted …',
      title: 'Mark this id as not minted',
      text: 'Check the contract first. If a token exists, its holder loses the id once the id is released or refunded.',
      action: 'Mark as not minted',
      done: 'Marked as not minted.',
    },
  },
})
