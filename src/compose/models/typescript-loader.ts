/** Lets Node import TypeScript files: strips types, and resolves `vitrine` and `zod` from any folder, so that there is one copy of each. */

import { readFile } from 'node:fs/promises'
import type { LoadHook, ResolveHook } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from '@swc/wasm-typescript'

const OWN: Readonly<Record<string, string>> = { vitrine: '../../index.js', 'vitrine/testing': '../../testing/index.js' }

export const resolve: ResolveHook = async (specifier, context, next) => {
  const own = OWN[specifier]
  if (own !== undefined) return { url: new URL(own, import.meta.url).href, shortCircuit: true }
  try {
    return await next(specifier, context)
  } catch (error) {
    // TypeScript files import each other by the name of the compiled file.
    if (/^\.{1,2}\/.*\.js$/.test(specifier)) return next(specifier.replace(/\.js$/, '.ts'), context)
    if (specifier === 'zod') return next(specifier, { ...context, parentURL: import.meta.url })
    throw error
  }
}

export const load: LoadHook = async (url, context, next) => {
  if (!/\.m?ts$/.test(url)) return next(url, context)
  const { code } = transformSync(await readFile(fileURLToPath(url), 'utf8'), { mode: 'strip-only', filename: fileURLToPath(url) })
  return { format: 'module', source: code, shortCircuit: true }
}
