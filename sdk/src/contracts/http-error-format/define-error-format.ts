import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { HttpErrorFormat } from './error-format.js'

/**
 * Makes a format.
 *
 * @example
 * defineErrorFormat({
 *   prefix: '/api/plugins/feature-feed',
 *   format: ({ code, detail }) => ({ members: { fault: { name: code, text: detail } } }),
 * })
 */
export function defineErrorFormat(definition: ContributionDefinition<HttpErrorFormat>): HttpErrorFormat {
  return Object.freeze<HttpErrorFormat>({ ...definition, specVersion: 1 })
}
