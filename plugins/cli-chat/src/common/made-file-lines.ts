import type { JsonObject } from '@agent-service/sdk'

/** A line for each file that a call has made or changed, with the path by which `files get` finds it. */
export const madeFileLines = (files: unknown): readonly string[] =>
  (Array.isArray(files) ? (files as readonly JsonObject[]) : []).map(
    ({ path, size }) => `  ${String(path)} (${size === 1 ? '1 byte' : `${Number(size).toLocaleString('en')} bytes`})`,
  )
