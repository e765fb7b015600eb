interface Destination {
  write(text: string): unknown
}

/** Whoever has lines that are not out yet. One listener for all of them: a process may make any number of loggers. */
const waiting = new Set<() => void>()
process.once('exit', () => {
  for (const handOver of waiting) handOver()
})

/**
 * Lines that are written in one turn of the event loop go out together at its end: a busy process would otherwise spend more
 * time on handing over its request log, line by line, than on the answers. What is left when the process ends goes out then.
 */
export function turnByTurn(destination: Destination): Destination {
  let lines = ''
  const handOver = () => {
    const text = lines
    lines = ''
    waiting.delete(handOver)
    if (text !== '') destination.write(text)
  }
  return {
    write(line) {
      if (lines === '') {
        setImmediate(handOver)
        waiting.add(handOver)
      }
      lines += line
    },
  }
}
