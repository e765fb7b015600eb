import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Skippable, skipWithout } from '../servers/binary.js'

const run = promisify(execFile)

interface Said {
  stdout: string
  /** Without those about npm itself and how this machine configures it. */
  warnings: readonly string[]
}

/** Runs a line in a shell, as people do. */
export async function sh(cwd: string, line: string, env: Record<string, string> = {}): Promise<Said> {
  const { stdout, stderr } = await run('sh', ['-c', line], { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 })
  return { stdout, warnings: stderr.split('\n').filter((text) => /^npm warn /i.test(text) && !OF_THIS_MACHINE.test(text)) }
}

const OF_THIS_MACHINE = /^npm warn (Unknown \w+ config|cli) /i

/** Whether the registry that this machine uses answers; if not, `t` says so. */
export async function registryAnswers(t: Skippable): Promise<boolean> {
  try {
    await run('npm', ['view', 'zod', 'version', '--prefer-online', '--fetch-retries=0', '--fetch-timeout=30000'])
    return true
  } catch (error) {
    skipWithout(t, 'a registry of packages', error)
    return false
  }
}
