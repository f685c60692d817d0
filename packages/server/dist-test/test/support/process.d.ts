import { type ChildProcess } from 'node:child_process'
export type ServiceProcess = {
  child: ChildProcess
  url: string
  /** From the start of the process until it was ready. */
  readyMs: number
  output(): string
  exited: Promise<number | null>
}
/** The built service as its own process, the way it is run. */
export declare function launch(env: Record<string, string>): Omit<ServiceProcess, 'readyMs' | 'url'>
export declare function launchReady(env: Record<string, string>): Promise<ServiceProcess>
export declare function freePort(): Promise<number>
/** A place to run in: free ports and a data folder that goes away. */
export declare function place(): Promise<{
  env: {
    PORT: string
    METRICS_PORT: string
    DATA_DIR: string
  }
  folder: string
  clear: () => Promise<void>
}>
