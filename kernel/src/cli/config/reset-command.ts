import type { Invocation } from '../invocation.js'
import { savePatch } from './save-patch.js'

/** Takes values out of the file. A path that the file does not have is passed over, also one that no field has: that is how it gets out. */
export const configResetCommand = (
  invocation: Invocation & { readonly paths: readonly string[]; readonly options: { readonly json?: boolean } },
): Promise<number> => savePatch(invocation, { reset: invocation.paths }, () => '', 'config reset')
