import { isAbsolute } from 'node:path'
import type { ConfigurationFinding } from '@agent-service/sdk'
import { liesWithin, overlaps } from '../../disk/lies-within.js'
import type { KernelSections } from '../effective/configuration.js'
import { type NamedFolder, writableFolders } from './writable-folders.js'

/** What is kept apart from what the service runs and serves. */
export interface ProtectedPaths {
  /** What lies there may have been written by a model. */
  readonly writable: readonly NamedFolder[]
  /** Written by the operator alone, and read by no stranger. */
  readonly shared: readonly NamedFolder[]
  /** Absolute. */
  readonly configurationFile: string
}

/** The places that a configuration keeps. */
export const protectedPaths = (sections: KernelSections, serverDataDir: string, configurationFile: string): ProtectedPaths => ({
  writable: writableFolders(sections, serverDataDir),
  shared: [{ setting: 'storage.shared_config_dir', folder: sections.storage.shared_config_dir }],
  configurationFile,
})

/** What `server.static_dir` and `plugins.sources` name that is kept from being served and run. Links are followed. */
export const placementFindings = ({ server, plugins }: KernelSections, kept: ProtectedPaths): readonly ConfigurationFinding[] => [
  ...pages(server.static_dir, kept),
  ...plugins.sources.flatMap((source, index) => sourceInside(source, index, kept)),
]

/** What lies in `server.static_dir` is served to anyone. */
function pages(folder: string, { writable, shared, configurationFile }: ProtectedPaths): readonly ConfigurationFinding[] {
  const met = [...writable, ...shared].find((kept) => overlaps(folder, kept.folder))
  const file = liesWithin(configurationFile, folder) ? `the configuration file (${configurationFile})` : undefined
  const what = met === undefined ? file : `${met.setting} (${met.folder})`
  if (what === undefined) return []
  const mend = 'Everything in it is served to anyone; name a folder that neither holds the other nor lies in it.'
  return [{ path: 'server.static_dir', message: `${folder} overlaps ${what}. ${mend}` }]
}

function sourceInside(source: string, index: number, { writable }: ProtectedPaths): readonly ConfigurationFinding[] {
  const around = isAbsolute(source) ? writable.find(({ folder }) => liesWithin(source, folder)) : undefined
  if (around === undefined) return []
  const where = `${around.setting === 'storage.data_dir' ? 'the data folder' : around.setting} (${around.folder})`
  const message = `${source} lies in ${where}, where agents and users can write; move it out of there`
  return [{ path: `plugins.sources[${index}]`, message }]
}
