#!/usr/bin/env node
// The command as npm finds it. It is here before anything is built: npx links a program once, and never again if it was not there.
import { existsSync } from 'node:fs'

const program = new URL('../dist/src/main.js', import.meta.url)
if (existsSync(program)) await import(program.href)
else {
  console.error('Vitrine is not built yet: "npm run build" does it, and so does "npm start".')
  process.exitCode = 2
}
