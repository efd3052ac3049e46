const direction = { dir: /^(?:auto|ltr|rtl)$/ }
const cell = { ...direction, align: /^(?:left|center|right)$/ }

/** What stands behind a fence, in one line and without characters that are not seen. */
export const fenceInfo: RegExp = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,160}$/u

const rules = {
  a: {
    ...direction,
    id: /^[a-z][\w-]{0,63}-note-ref-\d{1,6}$/,
    href: /^(?:(?:https?:\/\/|mailto:)[!-~]+|#[a-z][\w-]{0,63}-note-(?:ref-)?\d{1,6})$/,
    rel: /^noopener noreferrer nofollow$/,
    target: /^_blank$/,
  },
  b: {},
  bdi: {},
  blockquote: direction,
  br: {},
  code: { ...direction, class: /^(?:language-[\w+#.-]{1,32}|math-(?:inline|display))$/, 'data-info': fenceInfo },
  del: {},
  em: {},
  h3: direction,
  h4: direction,
  h5: direction,
  h6: direction,
  hr: {},
  i: {},
  ins: {},
  kbd: {},
  li: { id: /^[a-z][\w-]{0,63}-note-\d{1,6}$/ },
  mark: {},
  ol: { ...direction, start: /^\d{1,9}$/ },
  p: direction,
  pre: direction,
  s: {},
  small: {},
  strong: {},
  sub: {},
  sup: {},
  table: direction,
  tbody: {},
  td: cell,
  th: cell,
  thead: {},
  tr: {},
  u: {},
  ul: direction,
}

/** An element that foreign text may become. */
export type MarkupName = keyof typeof rules

/**
 * Every element that foreign text may become, with its attributes and what each may be. No element
 * runs or loads anything, takes input or has a name; ids are those of footnotes. The only classes are those of `code`: its language, or the kind of maths.
 */
export const markupRules: Readonly<Record<MarkupName, Readonly<Record<string, RegExp>>>> = rules

/** A name and a value. */
export type MarkupAttribute = readonly [name: string, value: string]

/** An element with its content. */
export interface MarkupElement {
  /** One of the closed set. */
  readonly name: MarkupName
  /** Only what `markupRules` has for the element is ever written. */
  readonly attributes: Readonly<Record<string, string>>
  /** What is in it, in order. */
  readonly children: readonly MarkupNode[]
}

/** An element, or a text as it is shown. */
export type MarkupNode = MarkupElement | string

/**
 * What of an element's attributes may be written; `undefined` for an element that may not. Whatever
 * writes markup asks this for every element, so that a mistake of the renderer adds none.
 */
export function permittedAttributes({ name, attributes }: MarkupElement): readonly MarkupAttribute[] | undefined {
  if (!Object.hasOwn(markupRules, name)) return undefined
  const known = markupRules[name]
  return Object.entries(attributes).filter(([attribute, value]) => Object.hasOwn(known, attribute) && known[attribute]?.test(value))
}

/** Makes an element; attributes without a value are left out. */
export function element(
  name: MarkupName,
  children: readonly MarkupNode[],
  attributes: Readonly<Record<string, string | undefined>> = {},
): MarkupElement {
  const given = Object.entries(attributes).flatMap(([attribute, value]) => (value === undefined ? [] : [[attribute, value] as const]))
  return { name, attributes: Object.fromEntries(given), children }
}

/** The text of nodes as it is shown; a line break is one. */
export const textOf = (nodes: readonly MarkupNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : node.name === 'br' ? '\n' : textOf(node.children))).join('')
