import { constants } from 'node:os'

/** What a terminal or a supervisor sends to stop a program. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** The exit code a shell reports for a program that a signal ended. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]
