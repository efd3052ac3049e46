import { template as makeTemplate } from 'solid-js/web'
import { trustedMarkup } from './trusted.js'

/**
 * What compiled components import instead of `solid-js/web`: the same, but for templates, which are
 * literals of the build and become trusted markup here.
 */
export * from 'solid-js/web'

/** Makes a template of a literal that the compiler wrote. */
export const template = (markup: string, ...rest: readonly (boolean | undefined)[]): (() => Element) =>
  makeTemplate(trustedMarkup(markup), ...rest)
