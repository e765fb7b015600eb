import { inspect } from 'node:util'

/** A line for each finished file, and its failures. */
export function show({ files, seconds, passed, failures, skips, stderr }, done, all) {
  const names = files.length === 1 ? shown(files[0]) : `${shown(files[0])} … (${files.length} files)`
  const verdict = failures.length === 0 ? 'ok    ' : 'FAILED'
  console.log(
    `${verdict} ${String(done).padStart(3)}/${all} ${seconds.toFixed(1).padStart(6)} s ${String(passed).padStart(5)} passed  ${names}`,
  )
  for (const { name, diag } of failures) console.log(`  not ok: ${name}\n${indented(diag)}`)
  for (const skip of skips) console.log(`  skipped: ${skip}`)
  if (failures.length > 0 && stderr !== '') console.log(`  standard error:\n${indented(stderr)}`)
}

/** Where the time went, and the closing line. True if nothing failed. */
export function report(results, elapsedS) {
  const sum = (count, of = results) => of.reduce((all, result) => all + count(result), 0)
  const folders = [...grouped(results, folderOf)].map(([folder, of]) => [
    folder,
    sum(({ files }) => files.length, of),
    Math.round(sum(({ seconds }) => seconds, of)),
  ])
  console.log('\nfolder        files  seconds')
  for (const [folder, files, seconds] of folders.sort(([, , a], [, , b]) => b - a))
    console.log(`${folder.padEnd(13)} ${String(files).padStart(5)}  ${String(seconds).padStart(7)}`)
  const skipped = sum(({ skips }) => skips.length)
  const failed = sum(({ failures }) => failures.length)
  console.log(`\nAll of them side by side took ${Math.round(elapsedS)} s.`)
  console.log(`${sum(({ passed }) => passed)} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
  return failed === 0 && (skipped === 0 || process.env.CI !== 'true')
}

const shown = (file) => file.replace('dist/', '')
const folderOf = ({ files }) => files[0].split('/')[2]
const indented = (value) => (typeof value === 'string' ? value : inspect(value, { depth: 6, breakLength: 120 })).replace(/^/gm, '    ')

function grouped(all, key) {
  const groups = new Map()
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one])
  return groups
}
