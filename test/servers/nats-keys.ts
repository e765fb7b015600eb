/** Keys and accounts for NATS, made for every test: none is in the repository. */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nkeys } from 'nats'

type KeyPair = ReturnType<typeof nkeys.createUser>

export interface Operated {
  /** Makes a server trust one operator, whose only account may use JetStream. */
  configFile: string
  /** The text of a credentials file of a user of that account. */
  credentials: string
}

export async function operatorIn(folder: string): Promise<Operated> {
  const operator = nkeys.createOperator()
  const system = nkeys.createAccount()
  const account = nkeys.createAccount()
  const user = nkeys.createUser()
  const unlimited = { subs: -1, data: -1, payload: -1 }
  const room = {
    conn: -1,
    leaf: -1,
    imports: -1,
    exports: -1,
    wildcards: true,
    mem_storage: -1,
    disk_storage: -1,
    streams: -1,
    consumer: -1,
  }
  const accountClaim = { type: 'account', limits: { ...unlimited, ...room } }
  const preload = [
    `${system.getPublicKey()}: ${tokenOf(operator, system, { type: 'account', limits: unlimited })}`,
    `${account.getPublicKey()}: ${tokenOf(operator, account, accountClaim)}`,
  ]
  const configFile = join(folder, 'operator.conf')
  await writeFile(
    configFile,
    `operator: ${tokenOf(operator, operator, { type: 'operator' })}
system_account: ${system.getPublicKey()}
resolver: MEMORY
resolver_preload: {\n${preload.join('\n')}\n}\n`,
  )
  return { configFile, credentials: credentialsOf(tokenOf(account, user, { type: 'user', ...unlimited }), user) }
}

/** A claim about `subject`, signed by `issuer`, as NATS writes them. */
function tokenOf(issuer: KeyPair, subject: KeyPair, nats: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claim = {
    jti: randomUUID(),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    nats: { ...nats, version: 2 },
  }
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claim)}`
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`
}

function credentialsOf(token: string, user: KeyPair): string {
  const block = (title: string, text: string) => `-----BEGIN ${title}-----\n${text}\n------END ${title}------\n`
  return block('NATS USER JWT', token) + block('USER NKEY SEED', new TextDecoder().decode(user.getSeed()))
}
