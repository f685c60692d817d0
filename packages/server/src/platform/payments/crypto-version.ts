import type { Log } from '../log/log.ts'
import { createGreenfield } from './greenfield.ts'

const oldestSupported = '2.0.0'

/** Rejects an outdated BTCPay Server. One that does not respond may be starting itself. */
export async function assertBtcpayVersion(
  options: { url: string; apiKey: string },
  log: Log,
): Promise<void> {
  const response = await createGreenfield(options)
    .get<{ version?: unknown }>('/server/info')
    .catch((err) => {
      log.warn({ err }, 'The version of the BTCPay Server could not be checked')
    })
  if (!response) return
  const version = String(response.version ?? 'without a version')
  // Builds append their commit, as in 2.0.4+c1f3a5b.
  if (!isAtLeast(version, oldestSupported)) throw new OldBtcpayError(version)
  log.info({ version }, 'Accepts cryptocurrency through BTCPay Server')
}

function isAtLeast(version: string, least: string): boolean {
  if (!/^\d+\.\d+/.test(version)) return false
  return version.localeCompare(least, 'en', { numeric: true }) >= 0
}

class OldBtcpayError extends Error {
  override readonly name = 'Payments.OldBtcpayError'
  constructor(version: string) {
    super(
      `The BTCPay Server at BTCPAY_URL is ${version}. Upgrade it to ${oldestSupported} or later, or remove the BTCPAY_… settings.`,
    )
  }
}
