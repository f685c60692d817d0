export type RawAnswer = {
  status: number
  text: string
  ms: number
}
/** Sends bytes as they are and waits until the other side closes. */
export declare function sendRaw(port: number, text: string, giveUpMs?: number): Promise<RawAnswer>
/** Sends one byte a second, the way somebody does who wants to occupy a server. */
export declare function sendSlowly(
  port: number,
  start: string,
  giveUpMs: number,
): Promise<RawAnswer>
