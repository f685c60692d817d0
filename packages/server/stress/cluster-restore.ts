import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Findings } from './account-stage.ts'
import { startClusterLoad } from './cluster-load.ts'
import { type ClusterStage, onCluster } from './cluster-stage.ts'

const data = '/var/lib/postgresql/15/emojid'
const control = `/usr/lib/postgresql/15/bin/pg_ctl -D ${data} -w -t 300`
/** Acknowledged so close to the moment, an edit may be on either side of it. */
const marginMs = 1_000

/** The restore of docs/cluster.md to a moment before the last edits. */
export const measureRestore = (): Promise<Findings> =>
  onCluster(async (stage) => {
    const { nodes } = stage
    const load = await startClusterLoad(stage, await stage.register())
    await load.begin()
    const first = await nodes.leader()
    nodes.onNode(first, 'postgres', 'pgbackrest --stanza=emojid --type=full backup')
    await sleep(5_000)
    const [row] = await stage.query<{ at: string }>('select now()::text as at')
    const moment = Date.now()
    await sleep(5_000)
    await load.stop()
    const cursor = await cursorOf(stage)
    const before = await load.readHistory()
    nodes.onNode(first, 'postgres', 'pgbackrest --stanza=emojid check')

    const startedAt = Date.now()
    await stage.stopServices()
    for (const n of nodes.places) await nodes.stopPatroni(n)
    nodes.remove(first)
    const target = `--delta --type=time "--target=${row?.at}" --target-action=promote`
    nodes.onNode(first, 'postgres', `pgbackrest --stanza=emojid ${target} restore`)
    nodes.onNode(first, 'postgres', `${control} -l /dev/null -o "-c listen_addresses=''" start`)
    const isInRecovery = () =>
      nodes.onNode(first, 'postgres', 'psql -Atc "select pg_is_in_recovery()"')
    while (!isInRecovery().startsWith('f')) await sleep(200)
    nodes.onNode(first, 'postgres', `${control} stop`)
    nodes.startPatroni(first)
    for (const n of nodes.places.filter((place) => place !== first)) {
      nodes.onNode(n, 'postgres', `rm -rf ${data}`)
      nodes.startPatroni(n)
    }
    await nodes.waitUntilHealthy()
    runCommand(stage, 'after-restore')
    await stage.startServices({ ROLES: 'api,auth,web' })
    const restored_after_ms = Date.now() - startedAt

    const after = await load.readHistory()
    const edits = load.acknowledged()
    const isKept = ({ id, value }: (typeof edits)[number]) => after.values.has(`${id} ${value}`)
    const lost = edits.filter((edit) => edit.at < moment - marginMs && !isKept(edit))
    const kept = edits.filter((edit) => edit.at > moment + marginMs && isKept(edit))
    const answer = await stage.call('GET', `/api/events?after=${cursor}`)
    const [next] = await stage.query<{ version: string }>(
      `select nextval('record_versions') as version`,
    )
    const broken = [
      ...(lost.length > 0 ? [`${lost.length} edits from before the moment are lost`] : []),
      ...(kept.length > 0 ? [`${kept.length} edits from after the moment are there`] : []),
      ...(answer?.status === 410 ? [] : [`an old cursor was answered ${answer?.status}`]),
      ...(Number(next?.version) > Math.max(...before.versions)
        ? []
        : ['a version can be given out twice']),
    ]
    const figures = {
      restored_after_ms,
      edits_before: edits.filter(({ at }) => at < moment).length,
      edits_after: edits.filter(({ at }) => at >= moment).length,
      broken: broken.length,
    }
    return { figures, broken }
  })

async function cursorOf(stage: ClusterStage): Promise<string> {
  const answer = await stage.patiently(() => stage.call('GET', '/api/events'))
  return JSON.parse(answer?.text ?? '{}').next
}

function runCommand({ environment }: ClusterStage, name: string): void {
  const program = fileURLToPath(new URL(`../dist/commands/${name}.js`, import.meta.url))
  const env = { PATH: process.env['PATH'], ...environment }
  const { status, stdout, stderr } = spawnSync('node', [program], { encoding: 'utf8', env })
  if (status !== 0) throw new Error(`${name}: ${stdout}${stderr}`)
}
