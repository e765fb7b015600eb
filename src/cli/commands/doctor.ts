import { checkInstallation } from '../../compose/check-installation.js'
import type { Finding } from '../../ports/diagnostics.js'
import type { Command } from '../command-line.js'

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check the installation and say how to mend what is wrong. Exit code 1 if anything is.',
  example: 'doctor --json',
  needs: 'anything',
  models: 'declared',
  async run({ config, models, answer }) {
    const findings = await checkInstallation(config, models)
    answer({ findings }, findings.flatMap(show))
    return findings.every(({ healthy }) => healthy) ? 0 : 1
  },
}

const show = ({ check, healthy, finding, remedy }: Finding): string[] => [
  `${healthy ? 'ok  ' : 'BAD '} ${check}: ${finding}`,
  ...(remedy === undefined ? [] : [`       → ${remedy}`]),
]
