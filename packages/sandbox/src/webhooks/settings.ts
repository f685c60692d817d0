import type { State } from '../state.ts'

/** Webhook settings, to test difficult deliveries. */
export type WebhookSettings = {
  id: 'webhooks'
  /** The delay of each delivery. */
  delay_ms: number
  /** The number of copies of each event. */
  copies: number
  /** Events of one moment arrive in reverse order. */
  shuffled: boolean
  /** Nothing is sent. */
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

/** Changes the passed settings only. */
export function changeWebhookSettings(
  state: State,
  changes: Partial<Omit<WebhookSettings, 'id'>>,
): WebhookSettings {
  const changedSettings = { ...webhookSettings(state), ...changes }
  state.change(() => state.put('settings', changedSettings))
  return changedSettings
}
