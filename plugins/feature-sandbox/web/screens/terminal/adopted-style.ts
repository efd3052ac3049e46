/**
 * Stands in for a `<style>` element, which the page's policy would not apply: its text goes into a
 * stylesheet that the document adopts. `vite.config.mjs` makes the terminal use it.
 */
export function createAdoptedStyle(): HTMLElement {
  const element = document.createElement('span')
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  element.hidden = true
  Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text), get: () => '' })
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
    Element.prototype.remove.call(element)
  }
  return element
}
