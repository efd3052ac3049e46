import { template as makeTemplate, setAttribute as setPlainAttribute } from 'solid-js/web'
import { basePath, placed } from './base.js'
import { trustedMarkup } from './trusted.js'

/**
 * What compiled components import instead of `solid-js/web`: the same, but for templates, which are
 * literals of the build and become trusted markup here, and for addresses. Components write paths of
 * the service; the page gets them below its base path, so that a link also works in a new tab.
 */
export * from 'solid-js/web'

/** An address in a literal; the compiler leaves out quotes where it can. */
const writtenAddress = /( (?:href|src)="?)(?=\/(?!\/))/g

/** Makes a template of a literal that the compiler wrote. */
export const template = (markup: string, ...rest: readonly (boolean | undefined)[]): (() => Element) =>
  makeTemplate(trustedMarkup(basePath === '' ? markup : markup.replace(writtenAddress, (start) => `${start}${inMarkup}`)), ...rest)

const inMarkup = basePath.replaceAll('&', '&amp;')

/** Sets an attribute of an element of a component. */
export const setAttribute = (node: Element, name: string, value: string): void =>
  setPlainAttribute(node, name, (name === 'href' || name === 'src') && typeof value === 'string' ? placed(value) : value)
