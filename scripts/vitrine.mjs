#!/usr/bin/env node
// The command as npm finds it. It is here before anything is built: npx links a program once, and never again if it was not there.
import { existsSync, readFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
// While "npm run dev" runs, its program is the one that matches the data.
const program = new URL(isDevelopmentRunning() ? '.dev/src/main.js' : 'dist/src/main.js', root)
if (existsSync(program)) await import(program.href)
else {
  console.error('Vitrine is not built yet: "npm run build" does it, and so does "npm start".')
  process.exitCode = 2
}

function isDevelopmentRunning() {
  try {
    process.kill(Number(readFileSync(new URL('.dev/pid', root), 'utf8')), 0)
    return true
  } catch {
    return false
  }
}
