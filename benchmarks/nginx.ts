import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'

const shipped = (name: string) =>
  readFileSync(new URL(`../deploy/nginx/${name}`, import.meta.url), 'utf8')

/** The shipped nginx with one worker, without TLS and with higher limits; undefined where there is none. */
export function startCachingNginx(folder: string, servicePort: number, port: number) {
  if (spawnSync('nginx', ['-v']).error) return undefined
  mkdirSync(folder, { recursive: true })
  const conf = shipped('emojid.conf')
    .replaceAll(/^ *(ssl_.*|server 127.0.0.1:3002.*|limit_conn .*)$/gm, '')
    .replaceAll('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replaceAll('listen 80', `listen 127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${servicePort}`)
    .replaceAll(/rate=\d+r\/s/g, 'rate=1000000r/s')
    .replaceAll('/var/cache/emojid-nginx', `${folder}/cache`)
    .replaceAll('snippets/emojid-proxy.conf', `${folder}/emojid-proxy.conf`)
    // Each of these servers only refuses.
    .replaceAll(/server \{\n[^}]*(return (444|308)|server_name _)[^}]*\}/g, '')
  writeFileSync(`${folder}/emojid.conf`, conf)
  writeFileSync(`${folder}/emojid-proxy.conf`, shipped('emojid-proxy.conf'))
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    `${folder}/nginx.conf`,
    `${user} daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 2000; }
     http { access_log off; keepalive_requests 10000000; include ${folder}/emojid.conf; }`,
  )
  const args = ['-p', folder, '-c', `${folder}/nginx.conf`, '-e', `${folder}/error.log`]
  const child = spawn('nginx', args, { stdio: 'inherit' })
  return {
    port,
    /** Linux only. */
    workerPid: () =>
      Number.parseInt(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'latin1'), 10),
    stop: () => child.kill('SIGTERM'),
  }
}
