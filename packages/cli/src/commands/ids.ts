import type { Command } from '../command.ts'
import { moment } from '../output.ts'

export const ids: Command = {
  name: 'ids',
  about: 'List your ids',
  options: {
    find: {
      type: 'string',
      value: 'text',
      about: 'emojis they contain, or words of their names',
    },
  },
  examples: ['emojid ids', 'emojid ids --find fire'],
  async run({ client, call, out }, { text }) {
    const search = text('find')
    const query = search === undefined ? {} : { q: search }
    // Reports sign-in problems before the list starts.
    await call(() => client.api.ownIds.listAccountEmojiIds({ query: { ...query, limit: 1 } }))
    await out.list(client.api.ownIds.listAccountEmojiIds.each({ query }), {
      columns: ['id', 'name', 'since', 'origin'],
      row: ({ emoji_id, shortname, since, came_by }) => [
        emoji_id,
        shortname,
        moment(since),
        came_by,
      ],
      none: search === undefined ? 'You have no ids yet.' : 'No matching ids.',
    })
  },
}
