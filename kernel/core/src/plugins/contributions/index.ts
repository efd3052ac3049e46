export { ContributionRegistry } from './contribution-registry.js'
