import { readFileSync } from 'node:fs'
import { networkName } from '@emojid/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { assertFits, openBrowser } from '../support/browser.ts'
import { at, grant, recordsOf } from '../support/ids.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { type Site, sharedSite } from '../support/shared-site.ts'
import {
  assertDarkLooks,
  assertGoodLooks,
  openAs,
  waitForAnnouncement,
} from '../support/web-pages.ts'

const { newPage } = openBrowser()
const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

let service: Site
let admin: Person
beforeAll(async () => {
  service = await sharedSite()
  admin = await registerAs(service, 'Admin')
})

/** An owner with one id, which has these records. */
async function ownerWith(insert: { tag: string; data: string }[] = []) {
  const owner = await newcomer(service)
  const id = await grant(admin, { user_id: owner.id })
  if (insert.length > 0) expect((await owner.patch(at(id), { insert })).status).toBe(200)
  return { owner, id, path: `/account/ids/${encodeURIComponent(id)}` }
}

describe('an owner', () => {
  it('follows the first steps, shares the page as PNG and SVG, and requests an amount', async () => {
    const { owner, id, path } = await ownerWith([{ tag: '0x1003', data: bitcoin }])
    const page = await newPage()
    await openAs(service, page, owner, '/account')
    const steps = page.getByRole('heading', { name: /First steps: \d of 5 done/ })
    const before = Number(/\d/.exec((await steps.textContent()) ?? '')?.[0])
    await page.getByText('Add a payment address (done)').waitFor()
    await page.getByRole('link', { name: 'Write your page' }).waitFor()
    await assertGoodLooks(page)
    await page.getByRole('link', { name: 'Share it' }).click()
    await page.waitForURL(`**${path}/share`)
    await page.getByRole('img', { name: 'QR code of your page' }).waitFor()
    await page.getByText(`${service.webUrl}/${encodeURIComponent(id)}`).waitFor()

    const save = async (name: string) => {
      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name }).click()
      return readFileSync(await (await saving).path())
    }
    expect((await save('Save as PNG')).subarray(1, 4).toString()).toBe('PNG')
    expect((await save('Save as SVG')).toString()).toMatch(/^<svg .*<\/svg>$/)

    await page.getByLabel('Amount').fill('0,5')
    await page.getByText('Enter a positive number').waitFor()
    await page.getByLabel('Amount').fill('0.5')
    await page.getByRole('img', { name: 'QR code: request of 0.5 BTC' }).waitFor()
    await page.getByText(`bitcoin:${bitcoin}?amount=0.5`).waitFor()
    await assertDarkLooks(page)

    await page.getByRole('link', { name: 'Emoji ids', exact: true }).click()
    await page.getByRole('heading', { name: `First steps: ${before + 1} of 5 done` }).waitFor()
    expect(page.problems).toEqual([])
  })

  it('adds one address for several networks in one step by touch on a telephone', async () => {
    const { owner, id, path } = await ownerWith()
    const page = await newPage({ phoneWidth: 390 })
    await openAs(service, page, owner, path)
    await page.getByRole('button', { name: 'Add one address for several networks' }).tap()
    const form = page.getByRole('form', { name: 'Add one address for several networks' })
    await form.getByLabel('Address').fill(bitcoin)
    await form.getByRole('button', { name: 'Review changes' }).tap()
    await form.getByText(/^This is a Bitcoin .*address, not an Ethereum one/).waitFor()
    await form.getByLabel('Address').fill(ether)
    await form.getByText('Checksum is valid').waitFor()
    await form.getByLabel('Avalanche').tap()
    await form.getByRole('button', { name: 'Review changes' }).tap()
    await page.getByRole('button', { name: /^Save/ }).tap()
    await expect.poll(async () => (await recordsOf(service, id)).length).toBe(6)
    await assertFits(page)

    const { body } = await service.get(`/${encodeURIComponent(id)}`)
    for (const network of ['Base', 'Arbitrum One', networkName('OPTIMISM')])
      expect(body).toContain(`on ${network}`)
    for (const name of ['Ethereum', 'Polygon', 'Avalanche']) expect(body).toContain(name)
  })

  it('sees lookups per day as a chart, and compares an address without a checksum itself', async () => {
    const { owner, id, path } = await ownerWith()
    const day = new Date(service.clock.now().getTime() - 2 * 86_400_000).toISOString().slice(0, 10)
    await service.db
      .insertInto('lookup_counts')
      .values({ emoji_id: id, day, count: 41, pages: 12 })
      .execute()
    const page = await newPage()
    await openAs(service, page, owner, path)
    await page.getByText('Per day').click()
    await page.getByText('41 lookups, 12 opened payment sheets').waitFor()
    await page.getByLabel('Lookups and opened payment sheets per day').waitFor()
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const warning = page.getByText('Format is valid. Compare it yourself')
    const countAssurances = () => page.getByText('Checksum is valid').count()
    await press('Add an address')
    // The last digit is mistyped.
    await page.getByLabel('Address', { exact: true }).fill(`${ether.toLowerCase().slice(0, -1)}e`)
    await press('Use it for Ethereum (ETH)')
    await press('Review changes')
    await page.getByRole('heading', { name: 'Your changes' }).waitFor()
    expect([await warning.count(), await countAssurances()]).toEqual([1, 0])
    await page.getByRole('button', { name: /^Save/ }).click()
    await waitForAnnouncement(page, 'Saved: ')
    expect([await warning.count(), await countAssurances()]).toEqual([1, 0])
    expect(page.problems).toEqual([])
  })

  it('reaches the editor from the public page, where strangers see no link to it', async () => {
    const { owner, id, path } = await ownerWith()
    const page = await newPage()
    const address = `${service.webUrl}/${encodeURIComponent(id)}`
    const edit = page.getByRole('link', { name: 'Edit this page' })
    const requests: string[] = []
    page.on('request', (request) => void requests.push(new URL(request.url()).pathname))
    await page.goto(address)
    await page.getByRole('link', { name: 'Report this emoji id' }).waitFor()
    expect(await edit.count()).toBe(0)
    expect(requests.filter((one) => !/^\/(art|assets|favicon)/.test(one))).toHaveLength(1)

    await openAs(service, page, owner, '/account')
    await page.getByRole('rowheader').first().waitFor()
    await page.goto(address)
    await edit.waitFor()
    await edit.click()
    await page.waitForURL(`**${path}`)
    await page.getByRole('heading', { name: 'Where payments go' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Sign in' }).waitFor()
    const broken = { avatar: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAKAAAACg' }
    expect((await owner.post(at(id, '/json/SvcPageData'), { data: broken })).status).toBe(200)
    expect((await service.get(`/${encodeURIComponent(id)}`)).body).toContain('class="avatar"')
    await page.goto(address)
    await page.getByRole('link', { name: 'Report this emoji id' }).waitFor()
    expect(await edit.count()).toBe(0)
    // A picture that cannot be drawn is removed.
    await expect.poll(() => page.locator('img.avatar').count()).toBe(0)
  })
})
