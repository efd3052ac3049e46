/** A drawing as the frame sends it: the name of an element, its attributes, and elements and texts in it. */
export type SvgNode = readonly [name: string, attributes: readonly (readonly [string, string])[], children: readonly (SvgNode | string)[]]

export interface Picture {
  /** A whole file: nothing in it runs, loads or links. */
  readonly svg: string
  readonly width: number
  readonly height: number
}

const maxDepth = 200
const maxSize = 20_000

const elements: ReadonlySet<string> = new Set(
  [
    'circle clipPath defs desc ellipse feComposite feDropShadow feFlood feGaussianBlur feMerge feMergeNode feOffset filter g line linearGradient marker mask path',
    'pattern polygon polyline radialGradient rect stop style svg symbol text textPath title tspan use',
  ]
    .join(' ')
    .split(' '),
)

const attributes: ReadonlySet<string> = new Set(
  [
    'alignment-baseline class clip-path clip-rule clipPathUnits cx cy d dominant-baseline dx dy fill fill-opacity fill-rule filter filterUnits flood-color flood-opacity font-family',
    'font-size font-style font-weight fx fy gradientTransform gradientUnits height id in in2 letter-spacing marker-end marker-mid marker-start markerHeight markerUnits',
    'markerWidth mask offset opacity operator orient patternTransform patternUnits points preserveAspectRatio r refX refY rotate rx ry startOffset stdDeviation',
    'stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width style text-anchor',
    'text-decoration textLength transform transform-origin viewBox visibility width x x1 x2 y y1 y2',
  ]
    .join(' ')
    .split(' '),
)

/** Nothing but a part of the same file may be meant by an address. Escapes and comments could hide one. */
const reaches =
  /url\((?!\s*["']?#[\w-]+["']?\s*\))|@import|@font-face|@namespace|image-set|image\(|src\(|element\(|expression|javascript:|\\|\/\*/i

/**
 * The file of a picture, written from a drawing by fixed lists of elements and attributes: others
 * are left out, with all that is in them; of links the content stays. @throws if it has no good size.
 */
export function pictureOf(drawing: unknown): Picture {
  const [name, given] = nodeOf(drawing)
  const [left = 0, top = 0, width = 0, height = 0] = (given.find(([each]) => each === 'viewBox')?.[1] ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const isGood = [left, top, width, height].every(Number.isFinite) && Math.min(width, height) > 0 && Math.max(width, height) <= maxSize
  if (name !== 'svg' || !isGood) throw new Error('The drawing has no good size.')
  const size = { width: Math.ceil(width), height: Math.ceil(height) }
  const inside = nodeOf(drawing)[2]
    .map((child) => written(child, 1))
    .join('')
  const head = given.filter(([each]) => !['width', 'height', 'style', 'viewBox', 'xmlns'].includes(each))
  const box = `viewBox="${left} ${top} ${width} ${height}" width="${size.width}" height="${size.height}"`
  return { svg: `<svg xmlns="http://www.w3.org/2000/svg" ${box}${writtenAttributes(head)}>${inside}</svg>\n`, ...size }
}

function written(node: unknown, depth: number): string {
  if (typeof node === 'string') return escaped(node)
  if (depth > maxDepth) return ''
  const [name, given, children] = nodeOf(node)
  if (name === 'style') return writtenStyle(children)
  const isListed = elements.has(name)
  if (!isListed && name !== 'a') return ''
  const inside = children.map((child) => written(child, depth + 1)).join('')
  return isListed ? `<${name}${writtenAttributes(given)}>${inside}</${name}>` : inside
}

function writtenStyle(children: readonly unknown[]): string {
  const rules = children.filter((child) => typeof child === 'string').join('')
  return reaches.test(rules) ? '' : `<style>${escaped(rules)}</style>`
}

function writtenAttributes(given: readonly (readonly [string, string])[]): string {
  const permitted = given.filter(([name, value]) => (attributes.has(name) || isOwnReference(name, value)) && !reaches.test(value))
  return permitted.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
}

/** `use` and `textPath` name another part of the same file. */
const isOwnReference = (name: string, value: string): boolean => name === 'href' && /^#[\w-]+$/.test(value)

/** XML 1.0 has no way to write the other control characters. */
const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is left out
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** @throws for what is no node: the drawing comes out of a frame. */
function nodeOf(value: unknown): SvgNode {
  const [name, given, children] = Array.isArray(value) ? (value as readonly unknown[]) : []
  const isNode = typeof name === 'string' && Array.isArray(children) && Array.isArray(given) && given.every(isPair)
  if (!isNode) throw new Error('The drawing is not a picture.')
  return [name, given, children as readonly (SvgNode | string)[]]
}

const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string')
