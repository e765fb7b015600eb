import { setTimeout as pause } from 'node:timers/promises'
import { type Io, visibleLines } from './io.js'

const REFRESH_MS = 1000
const HIDE_CURSOR = '\u001b[?25l'
const SHOW_CURSOR = '\u001b[?25h'
const HOME = '\u001b[H'
const CLEAR = '\u001b[2J'
const REST_OF_LINE = '\u001b[K'
const REST_OF_SCREEN = '\u001b[J'

/**
 * Shows a changing text until Ctrl+C. On a terminal it is drawn over the last one, cut to the size of the window;
 * elsewhere each text that differs from the last one is printed below it.
 */
export async function redrawUntilStopped(io: Io, text: () => Promise<readonly string[]>): Promise<void> {
  const stop = new AbortController()
  const { stdout } = io
  const terminal = stdout.isTTY
  let current = ''
  const redraw = () => stdout.write(fitToScreen(current, stdout.columns, stdout.rows))
  const resized = () => {
    stdout.write(CLEAR)
    redraw()
  }
  const stopListening = io.onStop(() => stop.abort())
  if (terminal) {
    stdout.write(HIDE_CURSOR + CLEAR)
    stdout.on('resize', resized)
  }
  try {
    while (!stop.signal.aborted) {
      const next = visibleLines(await text())
      if (!terminal && next !== current) stdout.write(`${next}\n`)
      current = next
      if (terminal) redraw()
      await pause(REFRESH_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  } finally {
    stopListening()
    stdout.off('resize', resized)
    if (terminal) stdout.write(`${SHOW_CURSOR}\n`)
  }
}

/** For a terminal that reports zero as its size. */
const DEFAULT_SIZE = { columns: 80, rows: 24 }

/** A screenful from the top left: nothing wraps or scrolls, and nothing of the last one stays. */
export function fitToScreen(text: string, columns = 0, rows = 0): string {
  const lines = text.split('\n').slice(0, Math.max(1, (rows || DEFAULT_SIZE.rows) - 1))
  const width = columns || DEFAULT_SIZE.columns
  return HOME + lines.map((line) => [...line].slice(0, width).join('') + REST_OF_LINE).join('\n') + REST_OF_SCREEN
}
