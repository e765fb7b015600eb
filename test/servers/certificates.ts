/** Certificates, made for every test: none is in the repository. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The client of NATS compares a server that is addressed by number with the name "localhost". */
const THIS_MACHINE = 'DNS:localhost,IP:127.0.0.1'

export interface Certificate {
  certFile: string
  keyFile: string
  cert: string
  key: string
}

/** Signed by itself, so it is its own authority; good for a server on this machine and for a client. */
export async function certificateIn(folder: string, name: string, names = THIS_MACHINE): Promise<Certificate> {
  const certFile = join(folder, `${name}.crt`)
  const keyFile = join(folder, `${name}.key`)
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await run('openssl', ['req', ...kind, '-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`, '-keyout', keyFile, '-out', certFile])
  return { certFile, keyFile, cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') }
}
