import { expect, it } from 'vitest'
import { assertAccessible, openBrowser } from '../support/browser.ts'

const { newPage } = openBrowser()

it('the accessibility check finds problems beside and inside parts that were checked before', async () => {
  const page = await newPage()
  const show = (part: string) =>
    page.setContent(`<!doctype html><html lang="en"><title>Test</title>
      <main><h1>Test</h1><section><p>Good</p>${part}</section></main></html>`)
  await show('')
  await assertAccessible(page)
  await show('<button type="button"></button>')
  await expect(assertAccessible(page)).rejects.toThrow('button-name')
  // A failed page is checked again.
  await expect(assertAccessible(page)).rejects.toThrow('button-name')
  await show('<p style="color: #ddd; background: #fff">Pale</p>')
  // The colours are found although tests do not draw their pages.
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).opacity)).toBe('0')
  await expect(assertAccessible(page)).rejects.toThrow('color-contrast')
  await expect(assertAccessible(page, { isAnotherLook: true })).rejects.toThrow('color-contrast')
  // The same style with another text is checked once, another style is not.
  const assertLook = () => assertAccessible(page, { isAnotherLook: true })
  await show('<p style="color: #111">Dark</p>')
  await assertLook()
  await show('<p style="color: #111">Dark too</p><p style="color: #eee">Pale</p>')
  await expect(assertLook()).rejects.toThrow('color-contrast')
  await show('<label for="gone">Name</label><input type="text">')
  await expect(assertAccessible(page)).rejects.toThrow('label')
  await show('<label for="here">Name</label><input id="here" type="text">')
  await assertAccessible(page)
})
