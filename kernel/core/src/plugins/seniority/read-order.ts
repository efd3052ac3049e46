import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { validate } from '@agent-service/sdk'
import { type OrderDocument, type OrderEntry, orderName, orderSchema } from './plugin-order.js'

/**
 * Reads the stored order from the folder of the state documents, without opening it. Empty if there
 * is none; a file that is damaged is refused by the start, which opens it.
 */
export async function readPluginOrder(folder: string): Promise<readonly OrderEntry[]> {
  try {
    const document: unknown = JSON.parse(await readFile(path.join(folder, `${orderName}.json`), 'utf8'))
    return validate(orderSchema, document).length > 0 ? [] : (document as OrderDocument).plugins
  } catch {
    return []
  }
}
