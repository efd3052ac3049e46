import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { JsonObject } from '@agent-service/sdk'

/**
 * `start.json` of the installed resources: the texts and settings of `start` that belong to
 * features.
 */
export interface StartTexts {
  /** Lines for the person who starts the service in a terminal. */
  readonly hints: readonly string[]
  /** The demo's settings, by the variable that sets them. */
  readonly demo: JsonObject
}

/** Reads `start.json`, which ships with the service. */
export async function readStartTexts(installedResources: string): Promise<StartTexts> {
  return JSON.parse(await readFile(path.join(installedResources, 'start.json'), 'utf8')) as StartTexts
}
