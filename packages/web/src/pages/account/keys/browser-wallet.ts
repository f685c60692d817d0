/** The provider interface of a browser wallet (EIP-1193). */
export type Wallet = { request: (call: { method: string; params?: unknown[] }) => Promise<unknown> }

export const browserWallet = (): Wallet | undefined =>
  (globalThis as { ethereum?: Wallet }).ethereum

const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** The address that the user selects in the wallet. */
export async function selectAddress(wallet: Wallet): Promise<string> {
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  const [eth_address] = accounts as string[]
  if (!eth_address) throw new Error('The wallet has no address')
  return eth_address
}

export async function signWith(wallet: Wallet, eth_address: string, message: string) {
  const params = [hexOf(message), eth_address]
  return String(await wallet.request({ method: 'personal_sign', params }))
}
