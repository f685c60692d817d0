import { expect, it } from 'vitest'
import { avatarOf, longestAvatar, readProfile } from './profile.ts'

const jpeg = 'data:image/jpeg;base64,/9j/4AAQSkZJRgABAQAAAQABAAD='

it('shows an avatar that is a small JPEG, PNG or WebP in a data URL', () => {
  expect(readProfile([], { title: 'Anna', avatar: jpeg }, null)).toEqual({
    title: 'Anna',
    avatar: jpeg,
    links: [],
  })
  expect(avatarOf({ avatar: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==' })).toBeDefined()
  expect(avatarOf({ avatar: 'data:image/webp;base64,UklGRiIAAABXRUJQ' })).toBeDefined()
})

it.each([
  'https://tracker.example/me.png',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'data:text/html;base64,/9j/4AAQ',
  'data:image/jpeg;base64,PHNjcmlwdD4=',
  `${jpeg}" onerror="alert(1)`,
  `${jpeg}${'A'.repeat(longestAvatar)}`,
  { url: jpeg },
  7,
])('ignores the avatar %j', (avatar) => {
  expect(avatarOf({ avatar })).toBeUndefined()
})
