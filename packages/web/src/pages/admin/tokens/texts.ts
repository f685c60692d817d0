import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Ids for which a mint signature was issued, and ids that are minted. Until its signatures end, an id stays with its owner: it is neither handed on, given back nor refunded.',
    caption: 'Ids that may be minted, or are',
    filters: 'Find ids',
    state: 'State',
    everyState: 'Every state',
    states: {
      signed: 'Signature issued',
      ended: 'Signature ended, not minted',
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
    nobody: 'Nobody',
    number: (id: number) => `Token ${id}`,
    blocked: 'Blocked until',
    noSignatures: 'None',
    until: 'until',
    by: 'asked for by',
    pages: 'Pages of ids',
    none: 'No id is like that.',
    mint: {
      label: 'It is minted …',
      title: 'Say that this id is minted',
      text: 'Look at the contract first. A minted id is neither refunded nor given back.',
      action: 'It is minted',
      done: 'The id counts as minted.',
    },
    unmint: {
      label: 'It is not minted …',
      title: 'Say that this id is not minted',
      text: 'Look at the contract first: whoever has the token would be left with nothing behind it once the id is given back or refunded.',
      action: 'It is not minted',
      done: 'The id does not count as minted any more.',
    },
  },
})
