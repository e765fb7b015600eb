import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigError } from '../compose/config.js'

/** The environment, and below it what a file such as `.env` says. A missing file says nothing. */
export function withEnvFile(environment: NodeJS.ProcessEnv, path: string): NodeJS.ProcessEnv {
  const inFile = Object.entries(parseEnv(read(path)))
  // A value of the environment also wins over a file that `.env` names for it.
  const isOverridden = (name: string) => name.endsWith('_FILE') && environment[name.slice(0, -'_FILE'.length)] !== undefined
  return { ...Object.fromEntries(inFile.filter(([name]) => !isOverridden(name))), ...environment }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Python keeps virtual environments in a folder of this name.
    if (code === 'ENOENT' || code === 'EISDIR') return ''
    throw new ConfigError(`cannot read ${path} (${code})`)
  }
}
