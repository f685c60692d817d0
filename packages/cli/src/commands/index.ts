import type { Command } from '../command.ts'
import { adminCommands } from './admin.ts'
import { backupCommands } from './backup.ts'
import { events } from './events.ts'
import { exportCommand } from './export.ts'
import { ids } from './ids.ts'
import { importCommand } from './import.ts'
import { keyCommands } from './keys.ts'
import { lookup, search } from './lookup.ts'
import { oauthClientCommands } from './oauth-clients.ts'
import { pay } from './pay.ts'
import { recordCommands } from './records.ts'
import { sessionCommands } from './session.ts'
import { supportCommands } from './support.ts'
import { transferCommands } from './transfers.ts'
import { webhookCommands } from './webhooks.ts'

export const commands: readonly Command[] = [
  lookup,
  pay,
  search,
  events,
  ...sessionCommands,
  ids,
  ...recordCommands,
  ...transferCommands,
  ...keyCommands,
  ...webhookCommands,
  ...adminCommands,
  ...supportCommands,
  ...oauthClientCommands,
  importCommand,
  exportCommand,
  ...backupCommands,
]
