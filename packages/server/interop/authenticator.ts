import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Check } from './check.ts'
import { needProgram, run } from './tools.ts'

type PreparationAnswer = { ga_secret: string; ga_qr_code_svg: string }

/** T52: independent programs read the QR code and produce codes that the service accepts. */
export const authenticatorCheck: Check = {
  name: 'oathtool and zbarimg: the QR code and the codes of an authenticator app',
  async run({ api }) {
    await needProgram('oathtool', 'oathtool')
    await needProgram('zbarimg', 'zbar-tools')
    const email = `interop-${process.pid}-${Date.now()}@example.com`
    const { access_token } = await api('POST', '/users', { email, password: 'seven blue herons' })
    const as = { authorization: `Bearer ${access_token}` }
    const provider = { provider: 'AuthenticatorApp' }
    const prepared = (await api('POST', '/account/2fa/enable', provider, as)) as PreparationAnswer
    const { ga_secret, ga_qr_code_svg } = prepared
    const scannedUrl = new URL(await scan(ga_qr_code_svg))
    if (scannedUrl.protocol !== 'otpauth:' || scannedUrl.searchParams.get('secret') !== ga_secret)
      throw new Error(`zbarimg read ${scannedUrl}`)
    const code = (await run('oathtool', ['--totp', '-b', ga_secret])).trim()
    await api('POST', '/account/2fa/confirm', { code }, as)
    return { scanned: 'the same secret', accepted: 'the code of oathtool' }
  },
}

async function scan(svg: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'emojid-scan-'))
  try {
    const file = join(folder, 'code.png')
    await sharp(Buffer.from(svg)).resize(600, 600).flatten({ background: '#fff' }).toFile(file)
    return (await run('zbarimg', ['--quiet', '--raw', file])).trim()
  } finally {
    rmSync(folder, { recursive: true })
  }
}
