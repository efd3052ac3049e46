export { ContributionRegistry } from './contribution-registry.js'
export { contractPoints, unknownPointReason } from './lift-contribution.js'
export { foreignCollections } from './own-names.js'
