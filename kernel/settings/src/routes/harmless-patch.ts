import { isHarmlessAt, parsePath, type SchemaNode } from '@agent-service/kernel-core/config'
import type { ConfigurationPatch } from '../save/index.js'

/**
 * Whether a patch sets and resets only what the schema calls harmless: anything else decides what
 * code runs, where data goes or what somebody may do, and needs a person in a confirmed session.
 * Ignores a text that is not a path; the save refuses it.
 */
export const isHarmlessPatch = ({ set = {}, reset = [] }: ConfigurationPatch, schema: SchemaNode): boolean =>
  [...Object.keys(set), ...reset].every((text) => {
    const path = parsePath(text)
    return path === undefined || isHarmlessAt(schema, path)
  })
