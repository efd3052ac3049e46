import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type SwitchesDocument, switchesName, switchesSchema } from '@agent-service/kernel-core/plugins'
import { validate } from '@agent-service/sdk'

/**
 * Reads which plugins are switched off, from the folder of the state documents, without opening it.
 * If they cannot be read, all plugins count as off.
 */
export async function readSwitchedOff(folder: string): Promise<(id: string) => boolean> {
  try {
    const document: unknown = JSON.parse(await readFile(path.join(folder, `${switchesName}.json`), 'utf8'))
    if (validate(switchesSchema, document).length > 0) return () => true
    const { disabled } = document as SwitchesDocument
    return (id) => disabled.includes(id)
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return () => !isAbsent
  }
}
