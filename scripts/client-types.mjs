/** For the package, after a build: the types that the client has in the sources need zod, and do not say what they describe. */
import { readFileSync, writeFileSync } from 'node:fs'
import { printParts } from '../dist/src/discovery/client/client-module.js'

const openapi = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
writeFileSync('dist/src/client/api.d.ts', printParts(openapi).types)
