export { contractPoints } from './contract-points.js'
export { ContributionRegistry } from './contribution-registry.js'
export { unknownPointReason } from './lift-contribution.js'
export { foreignCollections } from './own-names.js'
