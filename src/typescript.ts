/** `node --import vitrine/typescript spec.ts`: Node imports TypeScript as the service does. */
import { register } from 'node:module'

register('./compose/models/typescript-loader.js', import.meta.url)
