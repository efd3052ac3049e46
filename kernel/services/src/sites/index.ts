export { claimHosts } from './claim-hosts.js'
export { openSites } from './serve-site.js'
export { createSiteTable } from './site-table.js'
