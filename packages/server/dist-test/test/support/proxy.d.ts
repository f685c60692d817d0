import type pg from 'pg'
export type DatabaseProxy = Awaited<ReturnType<typeof databaseProxy>>
/** Stands between a service and its database, and can take the database away. */
export declare function databaseProxy(
  connection: pg.ClientConfig,
  databaseUrl: string,
): Promise<{
  url: string
  /** Connections break and none can be made, as when the server is stopped. */
  cut(): void
  /** Nothing breaks and nothing answers, as when the network swallows everything. */
  freeze(): void
  heal(): void
  close(): Promise<void>
}>
