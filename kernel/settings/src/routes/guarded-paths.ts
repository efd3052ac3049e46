import { begins, parsePath, type ValuePath } from '@agent-service/kernel-core/config'
import type { ConfigurationPatch } from '../save/index.js'

/**
 * The settings that decide which code the service runs, which files it serves, where its data is,
 * and which identity provider identifies people: that one could claim any account.
 */
const guardedPaths: readonly ValuePath[] = [
  ['plugins', 'sources'],
  ['server', 'static_dir'],
  ['storage'],
  ['database'],
  ['sso', 'authority'],
]

/**
 * Whether a patch names one of these paths, one inside it, or one around it: setting or resetting
 * an object includes its members. Ignores a text that is not a path; the save refuses it.
 */
export function touchesGuarded({ set = {}, reset = [] }: ConfigurationPatch): boolean {
  return [...Object.keys(set), ...reset].some((text) => {
    const path = parsePath(text)
    return path !== undefined && guardedPaths.some((guarded) => begins(guarded, path) || begins(path, guarded))
  })
}
