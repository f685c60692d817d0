import type { Page } from 'playwright-core'
import { assert, beforeAll, describe, expect, it } from 'vitest'
import { assertFits, openBrowser } from '../support/browser.ts'
import { newEmail } from '../support/people.ts'
import {
  cell,
  echo,
  field,
  grid,
  openSearch,
  readChosenEmojis,
  unexpectedProblems,
} from '../support/search-page.ts'
import type { TestService } from '../support/service.ts'
import { sharedReachableService } from '../support/shared-service.ts'
import { assertDarkLooks, hasFocus } from '../support/web-pages.ts'

const { newPage } = openBrowser()

let service: TestService
beforeAll(async () => {
  service = await sharedReachableService()
})

const open = async (look = {}) => openSearch(await newPage(look), service.webUrl)
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

const isAtField = (page: Page) => hasFocus(field(page))

async function paste(page: Page, text: string) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await field(page).press('Control+v')
}

describe('picking an id', () => {
  it('adds one emoji per tap on a telephone, and keeps the id, its price and “Get it” in sight through the registration', async () => {
    const page = await open({ phoneWidth: 320 })
    // A long name must not move the grid between touch and click.
    for (const name of ['dog face', 'dolphin', 'unicorn']) {
      const emoji = cell(page, name)
      await emoji.scrollIntoViewIfNeeded()
      const box = (await emoji.boundingBox()) ?? assert.fail(name)
      await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    }
    await expect.poll(() => readChosenEmojis(page)).toEqual(['🐶', '🐬', '🦄'])
    await assertFits(page)

    const bar = page.getByRole('region', { name: 'Chosen emoji id' })
    const get = bar.getByRole('button', { name: 'Get it' })
    await get.waitFor()
    const price = await bar.getByText('$').textContent()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2))
    const { y = 0, height = 0 } = (await get.boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(700)
    await get.tap()
    await page.waitForURL('**/sign-in?next=*')

    const choice = page.getByRole('region', { name: 'Your choice' })
    await choice.getByRole('img', { name: 'emoji id: dog, dolphin, unicorn' }).waitFor()
    await choice.getByText(price ?? '', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Create an account' }).tap()
    await choice.getByText(price ?? '', { exact: true }).waitFor()
    await assertDarkLooks(page)
    await page.getByLabel('Email address').fill(newEmail())
    const registrations: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/users'))
        registrations.push(request.url())
    })
    await page.getByRole('button', { name: 'Create account' }).dblclick()
    await page.waitForURL('**/cart')
    expect(registrations).toHaveLength(1)
    // The demo sends no emails, so the page links to its mailbox.
    const mails = page.getByRole('link', { name: 'Read them here' })
    expect(await mails.getAttribute('href')).toBe(`${service.webUrl}/dev#messages`)
    await page.getByRole('img', { name: 'emoji id: dog, dolphin, unicorn' }).waitFor()
    await page
      .getByText(price ?? '')
      .first()
      .waitFor()
    expect(unexpectedProblems(page)).toEqual([])
  })

  it('picking an id works by typing or pasting emojis, names and keywords, with undo and copy as text, and with the keyboard alone', async () => {
    const page = await open()
    for (let presses = 0; presses < 6; presses++) {
      await page.keyboard.press('Tab')
      if (await isAtField(page)) break
    }
    expect(await isAtField(page)).toBe(true)
    await field(page).pressSequentially('🔥snake')
    await echo(page).getByText('Enter adds snake').waitFor()
    await field(page).press('Enter')
    await expect.poll(() => readChosenEmojis(page)).toEqual(['🔥', '🐍'])
    await expect.poll(() => echo(page).textContent()).toContain('fire, snake')

    await field(page).fill('🌴🔥👑🍕🍔')
    await echo(page).getByText('at most 6 emojis').waitFor()
    await expect.poll(() => readChosenEmojis(page)).toEqual(['🔥', '🐍', '🌴', '🔥', '👑', '🍕'])

    await page.getByRole('button', { name: 'Remove snake' }).click()
    await expect.poll(() => readChosenEmojis(page)).toEqual(['🔥', '🌴', '🔥', '👑', '🍕'])
    await field(page).press('Backspace')
    await expect.poll(() => readChosenEmojis(page)).toEqual(['🔥', '🌴', '🔥', '👑'])

    await field(page).fill('puppy')
    await page.getByRole('heading', { name: 'Emojis for “puppy”' }).waitFor()
    const first = grid(page).getByRole('button').first()
    await expect.poll(() => first.getAttribute('aria-label')).toBe('dog face')
    await field(page).press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => readChosenEmojis(page)).toEqual(['🔥', '🌴', '🔥', '👑', '🐶'])
    // The result is unmounted, and typing continues.
    await expect.poll(() => isAtField(page)).toBe(true)
    await field(page).fill('quux')
    await echo(page).getByText('No emoji matches “quux”').waitFor()

    await field(page).fill('')
    for (const _ of [4, 3, 2, 1, 0]) await field(page).press('Backspace')
    await expect.poll(() => readChosenEmojis(page)).toEqual([])
    await paste(page, `${service.webUrl}/${encodeURIComponent('👑🦁')}`)
    await expect.poll(() => readChosenEmojis(page)).toEqual(['👑', '🦁'])
    await field(page).press('Control+c')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('👑🦁')

    for (const _ of [1, 0]) await field(page).press('Backspace')
    await expect.poll(() => readChosenEmojis(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page)).toBe('dog face')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await expect.poll(() => readChosenEmojis(page)).toEqual(['🐶', '🐬'])

    await page.keyboard.press('Control+Home')
    await expect.poll(() => focused(page)).toBe('dog face')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    await expect.poll(() => focused(page)).toBe('baby bottle')
    await page.keyboard.press('Enter')
    await expect.poll(() => readChosenEmojis(page)).toEqual(['🐶', '🐬', '🍼'])

    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Backspace')
    await expect.poll(() => readChosenEmojis(page)).toEqual(['🐶', '🐬'])
    await echo(page).getByText('Available', { exact: true }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sign-in?next=*')
    expect(unexpectedProblems(page)).toEqual([])
  })
})
