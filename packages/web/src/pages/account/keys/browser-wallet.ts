/** The provider interface of a browser wallet (EIP-1193). */
type Wallet = { request: (call: { method: string; params?: unknown[] }) => Promise<unknown> }

export const browserWallet = (): Wallet | undefined =>
  (globalThis as { ethereum?: Wallet }).ethereum

const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Asks the wallet to sign a text with the address that the user selects. */
export async function signWith(wallet: Wallet, message: string) {
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  const [eth_address] = accounts as string[]
  if (!eth_address) throw new Error('The wallet has no address')
  const params = [hexOf(message), eth_address]
  const signature = await wallet.request({ method: 'personal_sign', params })
  return { eth_address, signature: String(signature) }
}
