import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type LocalIndex, startLocalIndex } from './local-index.js'
import { type SeenResult, startTools, type ToolsUnderTest } from './tools-under-test.js'

/** The tools of an agent whose pip and npm know the local index alone. */
export interface IndexedTools {
  readonly under: ToolsUnderTest
  readonly index: LocalIndex
  install(language: 'python' | 'node', ...packages: readonly string[]): Promise<SeenResult>
  /** A path in the workspace. */
  place(...names: readonly string[]): string
  read(...names: readonly string[]): Promise<string>
  /** What packages have written to `~/ran.txt`; empty: nothing. */
  ran(): Promise<string>
  stop(): Promise<void>
}

export async function startIndexedTools(): Promise<IndexedTools> {
  const index = await startLocalIndex()
  const under = await startTools()
  const place = (...names: readonly string[]): string => path.join(under.workspace, ...names)
  const read = (...names: readonly string[]): Promise<string> => readFile(place(...names), 'utf8')
  await mkdir(place('.config', 'pip'), { recursive: true })
  await writeFile(place('.npmrc'), `registry=${index.npm}\n`)
  await writeFile(place('.config', 'pip', 'pip.conf'), `[global]\nindex-url = ${index.python}\n`)
  await writeFile(place('ran.txt'), '')
  return {
    under,
    index,
    place,
    read,
    install: (language, ...packages) => under.call('install_packages', { language, packages: [...packages] }),
    ran: () => read('ran.txt'),
    async stop() {
      await under.stop()
      await index.close()
    },
  }
}

/** A time before now. */
export const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000)
