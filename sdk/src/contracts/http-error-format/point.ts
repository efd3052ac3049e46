import { defineContributionPoint } from '../../core/contribution-point.js'
import type { HttpErrorFormat } from './error-format.js'

/**
 * The form of errors below a prefix of the plugin's own routes. A prefix has one format; the longest
 * prefix of a path counts.
 */
export const httpErrorFormats = defineContributionPoint<HttpErrorFormat>()({
  id: 'http.error-format',
  cardinality: 'many',
  specVersions: [1],
  keyOf: ({ prefix }) => prefix,
})
