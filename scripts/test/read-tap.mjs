import { Parser } from 'tap-parser'

/** Settles, at the end of the stream, with how many assertions passed and which failed or were skipped. */
export function readTap(stream) {
  const parser = new Parser()
  const found = { passed: 0, failures: [], skips: [] }
  follow(parser, found)
  return new Promise((resolve) => {
    parser.on('complete', () => resolve(found))
    stream.pipe(parser)
  })
}

function follow(parser, found) {
  let failuresBefore = found.failures.length
  parser.on('child', (child) => {
    failuresBefore = found.failures.length
    follow(child, found)
  })
  parser.on('assert', ({ ok, skip, todo, fullname, name, diag, closingTestPoint }) => {
    const full = [fullname, name].filter(Boolean).join(' › ')
    if (skip || todo) found.skips.push(`${full}: ${skip || todo}`)
    else if (closingTestPoint) {
      // A subtest that failed has said so by an assertion, unless it is itself what failed.
      if (!ok && found.failures.length === failuresBefore) found.failures.push({ name: full, diag })
    } else if (ok) found.passed += 1
    else found.failures.push({ name: full, diag })
  })
}
