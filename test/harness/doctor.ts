import { vitrine } from './command.js'

interface Finding {
  check: string
  healthy: boolean
  finding: string
  remedy?: string
}

/** Runs `vitrine doctor` on a data folder. */
export async function examined(path: string): Promise<{ code: number | null; bad: Finding[] }> {
  const { code, stdout } = await vitrine(['doctor', '--json', '--data-dir', path])
  const { findings }: { findings: Finding[] } = JSON.parse(stdout)
  return { code, bad: findings.filter(({ healthy }) => !healthy) }
}
