import type { State } from '../state.ts'

/** How webhooks travel, to try out what receivers must cope with. */
export type WebhookSettings = {
  id: 'webhooks'
  /** They set out so much later. */
  delay_ms: number
  /** Each event arrives so many times. */
  copies: number
  /** Those of one moment arrive in reverse order. */
  shuffled: boolean
  /** None sets out. */
  off: boolean
}

const usual: WebhookSettings = {
  id: 'webhooks',
  delay_ms: 0,
  copies: 1,
  shuffled: false,
  off: false,
}

export const webhookSettings = (state: State): WebhookSettings =>
  state.get('settings', 'webhooks') ?? usual

/** Changes the settings that are given and leaves the others. */
export function changeWebhookSettings(
  state: State,
  given: Partial<Omit<WebhookSettings, 'id'>>,
): WebhookSettings {
  const changed = { ...webhookSettings(state), ...given }
  state.change(() => state.put('settings', changed))
  return changed
}
