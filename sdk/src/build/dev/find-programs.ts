import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pluginBuildError } from '../common/build-errors.js'

/**
 * The program `agent-service`: what was named, else that of the package `@agent-service/kernel`.
 * @throws a `plugin_build_failed` error.
 */
export function findService(folder: string, named: string | undefined): string {
  const fail = (reason: string): Error => pluginBuildError.create({ folder, reason })
  if (named !== undefined) {
    const file = path.resolve(named)
    if (!existsSync(file)) throw fail(`program ${file} does not exist. Pass the file agent-service.mjs: --service <path>`)
    return file
  }
  const manifest = resolveFrom(folder, '@agent-service/kernel/package.json')
  if (manifest !== undefined) return path.join(path.dirname(manifest), 'bin', 'agent-service.mjs')
  throw fail(
    'the program agent-service was not found. Install @agent-service/kernel, or pass the file: --service <path to agent-service.mjs>',
  )
}

/** The TypeScript compiler of the plugin, if it has one and a tsconfig.json. */
export function findCompiler(folder: string): string | undefined {
  if (!existsSync(path.join(folder, 'tsconfig.json'))) return undefined
  const manifest = resolveFrom(folder, 'typescript/package.json')
  return manifest === undefined ? undefined : path.join(path.dirname(manifest), 'bin', 'tsc')
}

function resolveFrom(folder: string, specifier: string): string | undefined {
  try {
    return createRequire(path.join(path.resolve(folder), 'package.json')).resolve(specifier)
  } catch {
    return undefined
  }
}
