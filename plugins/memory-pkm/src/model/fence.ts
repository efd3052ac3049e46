import { idOf } from '../common/ids.js'

/**
 * Material stands between two lines that its authors could not know: they depend on all of it.
 */
export function fenced(title: string, material: string): string {
  const fence = idOf('fence', title, material)
  return `----- ${title} ${fence} -----\n${material}\n----- end of ${title} ${fence} -----`
}
