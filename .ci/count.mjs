// Reads a TAP report and prints, as its last line, how many assertions passed and failed.
import { readFileSync } from 'node:fs'

const report = readFileSync(process.argv[2], 'utf8')
const [summary] = [...report.matchAll(/^# (\{ total: .*\})$/gm)].slice(-1)
const count = (name) => Number(new RegExp(`${name}: (\\d+)`).exec(summary?.[1] ?? '')?.[1] ?? 0)
// Without a summary the tests never ran: a build or a check failed before them.
console.log(summary === undefined ? '0 passed, 1 failed' : `${count('pass')} passed, ${count('fail')} failed`)
