import './maths.css'
import 'temml/dist/Temml-Local.css'
import temml from 'temml'
import { permittedMathml } from './permitted-mathml.js'

/** A longer source stays as it is: what it would take grows faster than its length. */
const maxLength = 3_000

/** A formula, or why there is none. */
export type Formula = { readonly math: Node } | { readonly reason: string }

/**
 * Makes MathML of TeX, without anything that links, loads or names: commands for that are refused,
 * macros live as long as the formula, and the result is copied by fixed lists. Sizes and expansions are bounded.
 */
export function formulaOf(source: string, isDisplay: boolean): Formula {
  if (source.length > maxLength) return { reason: `${source.length} > ${maxLength}` }
  const place = document.createElement('span')
  try {
    temml.render(source, place, {
      displayMode: isDisplay,
      throwOnError: true,
      trust: false,
      macros: {},
      maxSize: [20, 200],
      maxExpand: 500,
    })
  } catch (error) {
    // Also what is nested too deeply for the stack: the source is shown, with the reason.
    return { reason: reasonOf(error) }
  }
  return { math: permittedMathml(place.firstChild ?? place) }
}

/** The library's first line; below it, it draws the place. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message
    .trim()
    .replace(/:?\s*\n[\s\S]*$/, '')
    .slice(0, 300)
}
