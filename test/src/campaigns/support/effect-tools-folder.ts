import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { EffectToolsOptions } from '../../programs/effect-tools.js'

export const effectToolNames = ['tool__read', 'tool__idempotent', 'tool__checkable', 'tool__unsafe'] as const

/**
 * One line of the journal. `begin`, `effect`, `end`, `probe`: of a tool; `recorded`: its result is
 * durable; `killed`: the process has ended.
 */
export interface JournalLine {
  readonly kind: 'begin' | 'effect' | 'end' | 'probe' | 'recorded' | 'killed'
  readonly callId?: string
}

/** Writes the plugin of the effect tools to a folder, for `plugins.sources`. */
export async function writeEffectTools(folder: string, options: EffectToolsOptions): Promise<void> {
  const module = new URL('../../programs/effect-tools.js', import.meta.url).href
  const manifest = { id: 'tool', version: '1.0.0', apiVersion: 1, contributes: ['tool'], entry: './index.js' }
  const code = `import { effectTools } from ${JSON.stringify(module)}\n\nexport default effectTools(${JSON.stringify(options)})\n`
  const about = { name: manifest.id, version: '1.0.0', type: 'module', agentService: { plugin: './plugin.json' } }
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(about))
  await writeFile(path.join(folder, 'plugin.json'), JSON.stringify(manifest))
  await writeFile(path.join(folder, 'index.js'), code)
  await writeFile(options.journal, '', { flag: 'a' })
}

/** Every line; of one that a kill has cut there is nothing. */
export async function readJournal(file: string): Promise<readonly JournalLine[]> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  return lines.flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as JournalLine]
    } catch {
      return []
    }
  })
}
