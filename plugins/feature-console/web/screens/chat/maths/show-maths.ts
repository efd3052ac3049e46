import { createSignal } from 'solid-js'
import { loadPart } from '../../../core/load-part.js'
import type { formulaOf } from './formulas.js'
import { t } from './texts.js'

const [make, setMake] = createSignal<typeof formulaOf>()

/**
 * Puts a formula in the place of its source, `code` with the class `math-inline` or `math-display`;
 * what makes formulas is loaded with the first. A wrong one keeps its source, with the reason in its title.
 */
export function showMaths(code: HTMLElement): void {
  code.translate = false
  const ready = make()
  if (ready) {
    place(code, ready)
    return
  }
  loadPart(() => import('./formulas.js')).then(
    ({ formulaOf }) => {
      setMake(() => formulaOf)
      place(code, formulaOf)
    },
    // The source can be read as well; the next formula asks again.
    () => undefined,
  )
}

function place(code: HTMLElement, makeFormula: typeof formulaOf): void {
  const source = code.textContent ?? ''
  const isDisplay = code.classList.contains('math-display')
  const formula = makeFormula(source, isDisplay)
  if ('reason' in formula) {
    code.title = t('wrong', { reason: formula.reason })
    code.classList.add('maths-wrong')
    return
  }
  const box = document.createElement('span')
  box.className = isDisplay ? 'maths maths-display' : 'maths'
  box.translate = false
  // It scrolls where it is wider than the column.
  if (isDisplay) box.tabIndex = 0
  box.append(formula.math, copyable(isDisplay ? `$$${source}$$` : `$${source}$`))
  code.replaceWith(box)
}

/** What a selection of the formula has: its source, unseen and unread. */
function copyable(text: string): HTMLElement {
  const element = document.createElement('span')
  element.className = 'maths-source'
  element.ariaHidden = 'true'
  element.textContent = text
  return element
}
