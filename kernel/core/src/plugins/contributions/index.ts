export { ContributionRegister } from './contribution-registry.js'
export { contractPoints, whyUnknown } from './lift-contribution.js'
export { foreignCollections } from './own-names.js'
