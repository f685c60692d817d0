import type { State } from '../state.ts'
import type { WebhookSettings } from './objects.ts'

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
