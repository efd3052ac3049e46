import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LoadedCode } from '../composition/kernel-options.js'

/** Where the service's own files are. */
export interface Installation {
  readonly version: string
  readonly builtInFolder: string
  readonly installedResources: string
  readonly installFolder: string
  /** The folder of the demo's provider, if the distribution has it. */
  readonly demoProvider: string
  /** Absent if the program was not started by its command. */
  readonly code?: LoadedCode
}

/**
 * Finds the installation from the path of this module: `kernel/cli`, with plugins, resources and
 * examples beside `kernel`.
 */
export function findInstallation(): Installation {
  const ownFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
  const kernelFolder = path.dirname(ownFolder)
  const root = path.dirname(kernelFolder)
  const { version } = JSON.parse(readFileSync(path.join(ownFolder, 'package.json'), 'utf8')) as { readonly version: string }
  return {
    version,
    builtInFolder: path.join(root, 'plugins'),
    installedResources: path.join(root, 'resources'),
    installFolder: kernelFolder,
    demoProvider: path.join(root, 'examples', 'provider-scripted'),
  }
}
