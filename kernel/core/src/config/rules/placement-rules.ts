import { isAbsolute } from 'node:path'
import type { ConfigurationFinding } from '@agent-service/sdk'
import { liesWithin, overlaps } from '../../disk/lies-within.js'
import type { KernelSections } from '../effective/configuration.js'
import { reservedVariables } from '../read/environment-names.js'

export interface NamedFolder {
  readonly setting: string
  /** Absolute. */
  readonly folder: string
}

/**
 * The folders that the service, its users and their agents write to: their content may have been
 * written by a model.
 */
export const writableFolders = (
  { storage, database }: Pick<KernelSections, 'storage' | 'database'>,
  serverDataDir: string,
): readonly NamedFolder[] => [
  { setting: 'storage.data_dir', folder: storage.data_dir },
  { setting: reservedVariables.serverDataDir, folder: serverDataDir },
  { setting: 'database.path', folder: database.path },
  { setting: 'storage.skills_dir', folder: storage.skills_dir },
  { setting: 'storage.cache_dir', folder: storage.cache_dir },
  { setting: 'storage.ontology_dir', folder: storage.ontology_dir },
]

/** Paths that must stay apart from served pages and plugins. */
export interface ProtectedPaths {
  /** Their content may have been written by a model. */
  readonly writable: readonly NamedFolder[]
  /** Written only by the operator, and not readable by strangers. */
  readonly shared: readonly NamedFolder[]
  /** Absolute. */
  readonly configurationFile: string
}

export const protectedPaths = (sections: KernelSections, serverDataDir: string, configurationFile: string): ProtectedPaths => ({
  writable: writableFolders(sections, serverDataDir),
  shared: [{ setting: 'storage.shared_config_dir', folder: sections.storage.shared_config_dir }],
  configurationFile,
})

/**
 * Refuses a `server.static_dir` or `plugins.sources` that overlaps protected paths. Links are
 * followed.
 */
export const placementFindings = ({ server, plugins }: KernelSections, kept: ProtectedPaths): readonly ConfigurationFinding[] => [
  ...pages(server.static_dir, kept),
  ...plugins.sources.flatMap((source, index) => sourceInside(source, index, kept)),
]

/** Everything in `server.static_dir` is served to anyone. */
function pages(folder: string, { writable, shared, configurationFile }: ProtectedPaths): readonly ConfigurationFinding[] {
  const met = [...writable, ...shared].find((kept) => overlaps(folder, kept.folder))
  const file = liesWithin(configurationFile, folder) ? `the configuration file (${configurationFile})` : undefined
  const what = met === undefined ? file : `${met.setting} (${met.folder})`
  if (what === undefined) return []
  const mend = 'Everything in it is served to anyone; use a folder that neither contains the other nor lies in it.'
  return [{ path: 'server.static_dir', message: `${folder} overlaps ${what}. ${mend}` }]
}

function sourceInside(source: string, index: number, { writable }: ProtectedPaths): readonly ConfigurationFinding[] {
  const around = isAbsolute(source) ? writable.find(({ folder }) => liesWithin(source, folder)) : undefined
  if (around === undefined) return []
  const where = `${around.setting === 'storage.data_dir' ? 'the data folder' : around.setting} (${around.folder})`
  const message = `${source} lies in ${where}, where agents and users can write; move it elsewhere`
  return [{ path: `plugins.sources[${index}]`, message }]
}
