import type { ConfiguredPrice } from '../configuration/models-section.js'
import type { ModelPrice } from './catalogue-schema.js'

/** What is known of the price of a model. */
export interface KnownPrice {
  /** Of the configuration. */
  readonly own: ConfiguredPrice | undefined
  readonly catalogue: ModelPrice | undefined
}
