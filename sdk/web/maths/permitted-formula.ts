const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const namespaces = {
  html: 'http://www.w3.org/1999/xhtml',
  svg: 'http://www.w3.org/2000/svg',
  math: 'http://www.w3.org/1998/Math/MathML',
} as const

const length = /^[+-]?\d{0,4}(?:\.\d{1,8})?(?:e-\d{1,2})?(?:em|ex|px|pt|%)?$/
const lengths = /^[+-]?[\d.]{1,9}(?:em)?(?: [+-]?[\d.]{1,9}(?:em)?){0,3}$/
const colour = /^(?:#[\da-f]{3,8}|[a-z]{3,24}|rgb\([\s\d,.%]{5,32}\))$/i
const isTrueOrFalse = /^(?:true|false)$/
const sides = /^(?:(?:left|center|right|none|solid|dashed)(?: |$)){1,64}$/

/** The rule for each of several names. */
function each(names: string, rule: RegExp): ReadonlyMap<string, RegExp> {
  return new Map([...words(names)].map((name) => [name, rule]))
}

/** Elements that show something or are read out, and their attributes; none runs, loads, links or has a name. */
const permitted: ReadonlyMap<string, { readonly elements: ReadonlySet<string>; readonly attributes: ReadonlyMap<string, RegExp> }> =
  new Map([
    [namespaces.html, { elements: words('span'), attributes: each('aria-hidden', isTrueOrFalse) }],
    [
      namespaces.svg,
      {
        elements: words('svg path line'),
        attributes: new Map([
          ...each('width height x1 x2 y1 y2 stroke-width', length),
          ['viewBox', /^[\d.]{1,8}(?: [\d.]{1,8}){3}$/],
          ['preserveAspectRatio', /^(?:none|x(?:Min|Mid|Max)YMin(?: slice)?)$/],
          ['d', /^[\s\d,.a-z+-]{1,20000}$/i],
        ]),
      },
    ],
    [
      namespaces.math,
      {
        elements: words(
          'math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover',
        ),
        attributes: new Map([
          ...each('accent accentunder displaystyle fence largeop separator stretchy', isTrueOrFalse),
          ...each('depth height linethickness lspace mathsize maxsize minsize rspace voffset width', length),
          ...each('columnspacing rowspacing', lengths),
          ...each('columnalign columnlines rowlines', sides),
          ...each('mathbackground mathcolor', colour),
          ['display', /^(?:block|inline)$/],
          ['linebreak', /^newline$/],
          ['mathvariant', /^[a-z-]{3,24}$/],
          ['notation', /^[a-z ]{3,48}$/],
          ['scriptlevel', /^[+-]?\d$/],
        ]),
      },
    ],
  ])

/** The classes that the library's own styles know; those of the console are out of reach. */
const classes = words(
  [
    'accent-body accent-full amsrm angl anglpad arraycolsep boldsymbol boxpad brace-center brace-left brace-right cancel-lap cancel-pad',
    'cd-arrow-pad cd-label-left cd-label-right cd-vert-arrow clap col-align-c col-align-l col-align-r delim-size1 delim-size4 delimcenter',
    'delimsizing eqn-num fbox fcolorbox fontsize-ensurer frac-line halfarrow-left halfarrow-right hide-tail katex katex-accent katex-base',
    'katex-display katex-fix katex-hdashline katex-hline katex-html katex-inner katex-mathml katex-newline katex-overlay katex-overline',
    'katex-root katex-rule katex-sizing katex-smash katex-sout katex-stretchy katex-strut katex-tag katex-thinbox katex-underline katex-vbox',
    'large-op llap mainrm mathbb mathbf mathboldfrak mathboldsf mathcal mathfrak mathit mathitsf mathnormal mathrm mathscr mathsf mathsfit',
    'mathtt mfrac mml-eqn-num mover mspace msupsub mtable mtr-glue mult munder nulldelimiter op-limits op-symbol overline-line pstrut',
    'reflectbox rlap small-op sqrt svg-align textbb textbf textboldfrak textboldsf textfrak textit textitsf textrm textscr textsf texttt',
    'underline-line vertical-separator vlist vlist-r vlist-s vlist-t vlist-t2 x-arrow x-arrow-pad',
    ...Array.from({ length: 11 }, (_, index) => `size${index + 1} reset-size${index + 1}`),
  ].join(' '),
)

/** Properties that the library sets, and what they may have; `relative` takes nothing out of the formula, which is a box of its own. */
const properties: ReadonlyMap<string, RegExp> = new Map([
  ...each('bottom height left margin-bottom margin-left margin-right margin-top min-width padding-left top vertical-align width', length),
  ...each('border-bottom-width border-left-width border-right-width border-top-width', length),
  ...each('border-bottom-style border-left-style border-right-style border-top-style', /^(?:solid|dashed)$/),
  ...each('background-color border-bottom-color border-left-color border-right-color border-top-color color', colour),
  ['position', /^relative$/],
  ['text-shadow', /^[\d.]{1,6}em [\d.]{1,6}em [\d.]{1,6}px$/],
])

/** A wide accent over a slanted letter is as wide as the letter but for its slant. */
const widthOfAccent = /^calc\(100% [+-] \d?(?:\.\d{1,8})?em\)$/

/** Nested deeper, a formula is left out: laying it out would take too long, and more room than a browser has. */
const maxDepth = 160

/**
 * A copy of what is in an element, with elements, attributes, classes and properties of these lists alone. Of an
 * element that is on none the content is left, but for the source that is kept for programs.
 * Styles are set as properties, not as attributes.
 */
export function permittedFormula(given: Element): DocumentFragment {
  const copy = document.createDocumentFragment()
  copyChildren(given, copy, 0)
  return copy
}

function copyChildren(given: Element, place: Element | DocumentFragment, depth: number): void {
  if (depth > maxDepth) throw new RangeError(`${depth} > ${maxDepth}`)
  for (const child of given.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) place.append(child.textContent ?? '')
    if (!(child instanceof Element) || child.localName === 'annotation') continue
    const copy = copyOf(child)
    if (copy) place.append(copy)
    copyChildren(child, copy ?? place, depth + 1)
  }
}

function copyOf(given: Element): Element | undefined {
  const rules = permitted.get(given.namespaceURI ?? '')
  if (!rules?.elements.has(given.localName)) return undefined
  const copy = document.createElementNS(given.namespaceURI, given.localName)
  for (const { name, value } of given.attributes) if (rules.attributes.get(name)?.test(value)) copy.setAttribute(name, value)
  for (const name of given.classList) if (classes.has(name)) copy.classList.add(name)
  if (given instanceof HTMLElement && copy instanceof HTMLElement) copyStyle(given.style, copy.style)
  if (copy instanceof SVGSVGElement) keepWidth(copy)
  return copy
}

function copyStyle(given: CSSStyleDeclaration, copy: CSSStyleDeclaration): void {
  for (const name of given) {
    const value = given.getPropertyValue(name)
    if (properties.get(name)?.test(value) || (name === 'width' && widthOfAccent.test(value))) copy.setProperty(name, value)
  }
}

/** Drawings are as wide as their place by the library's styles; those that keep their shape are as wide as their attribute says. */
function keepWidth(drawing: SVGSVGElement): void {
  if (drawing.getAttribute('preserveAspectRatio') === 'xMinYMin') drawing.style.width = drawing.getAttribute('width') ?? ''
}
