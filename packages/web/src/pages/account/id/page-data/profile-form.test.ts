import { readProfile } from '@emojid/core'
import { describe, expect, it } from 'vitest'
import {
  isSameForm,
  newLink,
  problemOf,
  readForm,
  versionOf,
  writeLinks,
  writePage,
} from './profile-form.ts'

const view = (form: ReturnType<typeof readForm>, pageData: unknown) =>
  readProfile([], writePage(pageData, form), writeLinks(form))

describe('the form of a page', () => {
  it.each([
    [{ title: 'Anna', text: 'Hello' }, []],
    [{ name: 'Anna', bio: 'Hello', colour: 'red' }, {}],
    [{ heading: 'Anna', body: 'Hello', title: ' ' }, null],
  ])('reads and writes %j as the page shows it', (pageData, linkData) => {
    const form = readForm(pageData, linkData)
    expect(form).toMatchObject({ title: 'Anna', text: 'Hello' })
    expect(view(form, pageData)).toMatchObject({ title: 'Anna', text: 'Hello' })
    const changedForm = { ...form, title: 'Ben', text: '' }
    expect(view(changedForm, pageData)).toEqual({ title: 'Ben', links: [] })
  })

  it('keeps unknown members', () => {
    const pageData = { name: 'Anna', colour: 'red', body: { of: 'water' } }
    const form = readForm(pageData, {})
    expect(writePage(pageData, { ...form, title: '' })).toEqual({
      colour: 'red',
      body: { of: 'water' },
    })
  })

  it('tells versions apart by what it shows, also after a save', () => {
    const pageData = { name: ' Anna ', colour: 'red', links: ['https://a.example'] }
    const form = readForm(pageData, {})
    const version = versionOf(pageData, {})
    expect(versionOf(writePage(pageData, form), writeLinks(form))).toBe(version)
    expect(versionOf({ ...pageData, colour: 'blue' }, {})).toBe(version)
    expect(versionOf({ ...pageData, bio: 'Hello' }, {})).not.toBe(version)
    expect(versionOf(pageData, ['https://b.example'])).not.toBe(version)
  })

  it('compares forms without the keys of their links, which are new after a reload', () => {
    const read = () => readForm({ title: 'Anna' }, [{ name: 'Blog', url: 'https://a.example' }])
    const [draft, form] = [read(), read()]
    expect(draft).not.toEqual(form)
    expect(isSameForm(draft, form)).toBe(true)
    expect(isSameForm({ ...draft, title: 'Ben' }, form)).toBe(false)
    expect(isSameForm({ ...draft, links: [newLink('Blog', 'https://b.example')] }, form)).toBe(
      false,
    )
    expect(isSameForm({ ...draft, links: [...draft.links, newLink()] }, form)).toBe(false)
  })

  it('writes and removes the picture, and keeps one that pages do not show', () => {
    const avatar = 'data:image/jpeg;base64,/9j/4AAEAAD/wAALCACgAKABAREA/9oAAg=='
    const form = { ...readForm({}, {}), avatar }
    expect(writePage({}, form)).toEqual({ avatar })
    expect(readForm({ avatar }, {})).toMatchObject({ avatar })
    expect(writePage({ avatar }, { ...form, avatar: '' })).toEqual({})
    const other = { avatar: 'https://elsewhere.example/me.png' }
    expect(writePage(other, readForm(other, {}))).toEqual(other)
  })

  it('reads links from both places, and writes them to one', () => {
    const pageData = { links: ['https://a.example', { url: 'javascript:alert(1)' }] }
    const form = readForm(pageData, { blog: { href: 'https://b.example', label: 'Blog' } })
    expect(form.links).toMatchObject([
      { name: 'Blog', url: 'https://b.example/' },
      { name: '', url: 'https://a.example/' },
    ])
    expect(writePage(pageData, form)).toEqual({})
    expect(writeLinks(form)).toEqual([
      { name: 'Blog', url: 'https://b.example/' },
      { url: 'https://a.example/' },
    ])
  })

  it.each(['text', ['a list'], 7, null])('reads %j as an empty page', (data) => {
    expect(readForm(data, data)).toEqual({ title: '', text: '', avatar: '', links: [] })
    expect(writePage(data, readForm(data, data))).toEqual({})
  })

  it('reports an invalid link', () => {
    expect(problemOf(newLink('Me', 'https://example.com'))).toBeUndefined()
    expect(problemOf(newLink('Me', 'javascript:alert(1)'))).toContain('https://')
    expect(problemOf(newLink('Me', ' '))).toContain('URL')
  })
})
