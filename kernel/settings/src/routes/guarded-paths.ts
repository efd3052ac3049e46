import { begins, parsePath, type ValuePath } from '@agent-service/kernel-core/config'
import type { ConfigurationPatch } from '../save/index.js'

/**
 * What decides which code the service runs, which files it serves, where its data lies, and who proves whom it signs in: an identity provider could
 * name any account.
 */
const guardedPaths: readonly ValuePath[] = [
  ['plugins', 'sources'],
  ['server', 'static_dir'],
  ['storage'],
  ['database'],
  ['sso', 'authority'],
]

/**
 * Whether a patch names one of these places, something in one, or something around one: an object that is set or reset takes its members with it. A text
 * that is no path names nothing; the save refuses it.
 */
export function touchesGuarded({ set = {}, reset = [] }: ConfigurationPatch): boolean {
  return [...Object.keys(set), ...reset].some((text) => {
    const path = parsePath(text)
    return path !== undefined && guardedPaths.some((guarded) => begins(guarded, path) || begins(path, guarded))
  })
}
