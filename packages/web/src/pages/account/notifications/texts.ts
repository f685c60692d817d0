import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    title: 'Notifications',
    text: 'What happened to your account, emoji ids and orders in the last 90 days.',
    today: 'Today',
    yesterday: 'Yesterday',
    unread: 'New:',
    markRead: 'Mark all as read',
    marked: 'All notifications are marked as read.',
    more: 'Show older ones',
    none: 'Nothing has happened yet. Get an emoji id, or watch one: we tell you here when it becomes available.',
    search: 'Find an emoji id',
    watch: 'Open your watchlist',
  },
})
