import { type Logger, pino } from 'pino'

export type Log = Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Secrets that must never be logged, at any depth. */
const secrets = [
  'authorization',
  'cookie',
  'password',
  'current_password',
  'refresh_token',
  'access_token',
  'api_key',
  'secret',
  'code',
]

export function createLog(level: LogLevel, destination?: { write(line: string): void }): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    redact: {
      paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
      remove: true,
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** Database errors carry rows in `detail` and `where`: keep only the fields that name the error. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { fault: code } : {}),
    stack: error.stack,
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  }
}
