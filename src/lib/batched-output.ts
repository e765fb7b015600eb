interface Destination {
  write(text: string): unknown
}

/** Whoever has lines that are not out yet. One listener for all of them: a process may make any number of loggers. */
const pendingFlushes = new Set<() => void>()
process.once('exit', () => {
  for (const handOver of pendingFlushes) handOver()
})

/**
 * Lines that are written in one turn of the event loop go out together at its end: a busy process would otherwise spend more
 * time on handing over its request log, line by line, than on the answers. What is left when the process ends goes out then.
 */
export function bufferPerTick(destination: Destination): Destination {
  let lines = ''
  const handOver = () => {
    const text = lines
    lines = ''
    pendingFlushes.delete(handOver)
    if (text !== '') destination.write(text)
  }
  return {
    write(line) {
      if (lines === '') {
        setImmediate(handOver)
        pendingFlushes.add(handOver)
      }
      lines += line
    },
  }
}
