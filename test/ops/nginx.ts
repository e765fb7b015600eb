/** A real nginx with the configuration of ops/proxy, on this machine's ports and in front of a process of ours. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import type { Test } from 'tap'
import { removeFolder, temporaryFolder } from '../adapters/folder.js'
import { binaryFor, type Recipe } from '../servers/binary.js'
import { type Certificate, certificateIn } from '../servers/certificates.js'
import { unpackDebian } from '../servers/packages.js'
import { serverPorts } from '../servers/ports.js'
import { ServerProcess } from '../servers/process.js'

const recipe: Recipe = {
  name: 'nginx',
  version: 'debian',
  async unpack(folder) {
    await unpackDebian(folder, ['nginx', 'libpcre2-8-0'])
    const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu'
    return { executable: 'usr/sbin/nginx', libraries: [`usr/lib/${triplet}/libpcre2-8.so.0`] }
  },
}

/** Who may name the address that it calls from. */
export const PRETENDER = '127.0.0.9'

export interface Nginx {
  http: number
  https: number
  certificate: Certificate
}

/** Ends with the test; null if it is not available. */
export async function startNginx(t: Test, upstreams: { api: number; web: number }): Promise<Nginx | null> {
  const binary = await binaryFor(t, recipe)
  if (binary === null) return null
  const folder = await temporaryFolder()
  const certificate = await certificateIn(folder, 'gallery.example', 'DNS:gallery.example,DNS:*.gallery.example')
  const [http = 0, https = 0] = await serverPorts(2)
  const site = readFileSync('ops/proxy/nginx.conf', 'utf8')
    // Not every machine has IPv6.
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443 ', `listen 127.0.0.1:${https} `)
    .replace('127.0.0.1:3000', `127.0.0.1:${upstreams.api}`)
    .replace('127.0.0.1:3001', `127.0.0.1:${upstreams.web}`)
    .replace('/etc/nginx/tls/gallery.example.pem', certificate.certFile)
    .replace('/etc/nginx/tls/gallery.example.key', certificate.keyFile)
  writeFileSync(join(folder, 'site.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
  const main = [
    'daemon off;',
    `pid ${join(folder, 'pid')};`,
    'events {}',
    'http {',
    'access_log off;',
    // Lets a test be any caller: this machine has one address of IPv6 at most.
    `set_real_ip_from ${PRETENDER};`,
    'real_ip_header X-Pretended-Address;',
    ...temporary,
    `include ${folder}/site.conf;`,
    '}',
  ]
  writeFileSync(join(folder, 'nginx.conf'), `${main.join('\n')}\n`)
  const server = new ServerProcess({
    binary,
    args: ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')],
    ready: () => takesConnections(https),
  })
  t.teardown(async () => {
    // Its workers end with it only if it may end them.
    await server.kill('SIGTERM')
    await removeFolder(folder)
  })
  await server.start()
  return { http, https, certificate }
}

const takesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: 'gallery.example', rejectUnauthorized: false }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', reject)
  })
