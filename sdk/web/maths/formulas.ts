import 'katex/dist/katex.css'
import './maths.css'
import katex from 'katex'
import { permittedFormula } from './permitted-formula.js'

/** A longer source stays as it is: what it would take grows faster than its length. */
const maxLength = 3_000

/** A formula, or why there is none. */
export type Formula = { readonly math: readonly Node[] } | { readonly reason: string }

/**
 * Makes a formula of TeX: HTML to look at and MathML to listen to, without anything that links, loads, names or
 * writes to the console. Commands for that are refused, macros live as long as the formula, and the result is copied by
 * fixed lists. Sizes, expansions and depth are bounded.
 */
export function formulaOf(source: string, isDisplay: boolean): Formula {
  if (source.length > maxLength) return { reason: `${source.length} > ${maxLength}` }
  const place = document.createElement('span')
  try {
    katex.render(source, place, {
      displayMode: isDisplay,
      output: 'htmlAndMathml',
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      macros: { '\\message': refuse, '\\errmessage': refuse, '\\show': refuse },
      maxSize: 20,
      maxExpand: 500,
    })
    return { math: [...permittedFormula(place).childNodes] }
  } catch (error) {
    // Also what is nested too deeply: the source is shown, with the reason.
    return { reason: reasonOf(error) }
  }
}

/** In place of the commands that write to the console. */
function refuse(): never {
  throw new katex.ParseError('Nothing can be written to a terminal here')
}

function reasonOf(error: unknown): string {
  if (error instanceof katex.ParseError) return error.rawMessage.slice(0, 300)
  return (error instanceof Error ? error.message : String(error)).slice(0, 300)
}
