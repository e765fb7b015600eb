/** Runs several test files one after the other in one process, so that they share the modules they load. */
import { pathToFileURL } from 'node:url'

for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href)
