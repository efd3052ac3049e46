import type { Place } from '../place.js'
import { savePatch } from './save-patch.js'

/** Takes values out of the file. A path that the file does not have is passed over, also one that no field has: that is how it gets out. */
export const configResetCommand = (
  place: Place & { readonly paths: readonly string[]; readonly options: { readonly json?: boolean } },
): Promise<number> => savePatch(place, { reset: place.paths }, () => '', 'config reset')
