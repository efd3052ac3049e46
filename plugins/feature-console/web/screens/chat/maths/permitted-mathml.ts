/** `http://www.w3.org/1998/Math/MathML`, which is a name and not an address. */
const namespace = 'http://www.w3.org/1998/Math/MathML'

/** Elements of MathML Core that show something; none runs, loads, links or has a name. */
const elements: ReadonlySet<string> = new Set(
  'math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'.split(
    ' ',
  ),
)

const isTrueOrFalse = /^(?:true|false)$/
const length = /^[+-]?\d{0,4}(?:\.\d{1,8})?(?:em|ex|px|pt|%)?$/
const colour = /^(?:#[\da-f]{3,8}|[a-z]{3,24}|rgb\([\d\s,.%]{5,32}\))$/i

const attributes: ReadonlyMap<string, RegExp> = new Map([
  ['display', /^(?:block|inline)$/],
  ['form', /^(?:prefix|infix|postfix)$/],
  ['mathvariant', /^[a-z-]{3,24}$/],
  ['notation', /^[a-z ]{3,48}$/],
  ['scriptlevel', /^[+-]?\d$/],
  ...['columnspan', 'rowspan'].map((name) => [name, /^\d{1,2}$/] as const),
  ...['accent', 'accentunder', 'displaystyle', 'fence', 'largeop', 'movablelimits', 'separator', 'stretchy', 'symmetric'].map(
    (name) => [name, isTrueOrFalse] as const,
  ),
  ...['depth', 'height', 'linethickness', 'lspace', 'mathsize', 'maxsize', 'minsize', 'rspace', 'voffset', 'width'].map(
    (name) => [name, length] as const,
  ),
  ...['mathbackground', 'mathcolor'].map((name) => [name, colour] as const),
])

/** The classes of the library's own styles; those of the console are out of reach. */
const className =
  /^(?:(?:tml|wbk|chr|ff)-[a-z\d-]{1,24}|mathcal|mathscr|mathit|menclose|special-fraction|actuarial|circle-pad|downstrike|upstrike|longdiv-(?:arc|top)|phasor-(?:angle|bottom)|sout|textcircle)$/

/** Properties that the library sets; `position` takes nothing out of the formula, which is a box of its own. */
const properties: ReadonlySet<string> = new Set(
  [
    'background-color border-bottom-color border-bottom-style border-bottom-width border-left-color border-left-style border-left-width',
    'border-right-color border-right-style border-right-width border-top-color border-top-style border-top-width color display font-family font-style',
    'font-weight height justify-content margin-left math-depth padding-bottom padding-left padding-right padding-top text-align white-space width',
  ]
    .join(' ')
    .split(' '),
)
const propertyValue = /^[\w\s.,%#()+-]{1,64}$/

/**
 * A copy of a node with elements, attributes, classes and properties of these lists alone. Of an
 * element that is on none the content is left. Styles are set as properties, not as attributes.
 */
export function permittedMathml(node: Node): Node {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.textContent ?? '')
  const children = [...node.childNodes].map(permittedMathml)
  const copy = node instanceof MathMLElement && elements.has(node.localName) ? copyOf(node) : document.createDocumentFragment()
  copy.append(...children)
  return copy
}

function copyOf(given: MathMLElement): MathMLElement {
  const copy = document.createElementNS(namespace, given.localName) as MathMLElement
  for (const { name, value } of given.attributes) if (attributes.get(name)?.test(value)) copy.setAttribute(name, value)
  for (const name of given.classList) if (className.test(name)) copy.classList.add(name)
  for (const name of given.style) {
    const value = given.style.getPropertyValue(name)
    if (properties.has(name) && propertyValue.test(value) && !/url|var|image/i.test(value)) copy.style.setProperty(name, value)
  }
  return copy
}
